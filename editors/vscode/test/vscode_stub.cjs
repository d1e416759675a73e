/** A stand-in for the module `vscode`: documents, messages and diagnostics; all else is accepted. */

const seen = { documents: [], diagnostics: new Map(), errors: [], settings: {}, opened: [] }

/** Return a value that can be called, constructed, extended and read, with such a value as result. */
function anything() {
  return new Proxy(function () {}, {
    get(target, key) {
      if (key === 'then' || key === Symbol.iterator) return undefined
      if (key === Symbol.toPrimitive) return () => ''
      if (!(key in target)) target[key] = anything()
      return target[key]
    },
    apply: () => anything(),
    construct: () => ({}),
  })
}

class Range {
  constructor(line, character, endLine, endCharacter) {
    this.start = { line, character }
    this.end = { line: endLine, character: endCharacter }
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity })
  }
}

class EventEmitter {
  listeners = []
  event = listener => (this.listeners.push(listener), { dispose() {} })
  fire(value) {
    for (const listener of this.listeners) listener(value)
  }
  dispose() {}
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) }
  cancel() {}
  dispose() {}
}

const opened = new EventEmitter()
const disposable = () => ({ dispose() {} })
const own = {
  version: '1.91.0',
  Range,
  Diagnostic,
  EventEmitter,
  CancellationTokenSource,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  Uri: { parse: text => ({ toString: () => text, scheme: text.split(':')[0] }) },
  env: { language: 'en', appName: 'a stand-in', appHost: 'desktop' },
  languages: new Proxy(
    {
      match: (selector, document) =>
        [selector].flat().some(({ language }) => language === document.languageId) ? 10 : 0,
      createDiagnosticCollection: () => ({
        set: (uri, found) => seen.diagnostics.set(uri.toString(), found),
        delete() {},
        clear() {},
        dispose() {},
      }),
      setTextDocumentLanguage: async (document, language) =>
        Object.assign(document, { languageId: language }),
    },
    { get: (own, key) => own[key] ?? disposable },
  ),
  window: new Proxy(
    {
      createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {} }),
      showErrorMessage: async message => void seen.errors.push(message),
      visibleTextEditors: [],
      tabGroups: { all: [], onDidChangeTabs: disposable, onDidChangeTabGroups: disposable },
    },
    { get: (own, key) => (key in own ? own[key] : disposable) },
  ),
  workspace: new Proxy(
    {
      get textDocuments() {
        return seen.documents
      },
      workspaceFolders: undefined,
      notebookDocuments: [],
      getConfiguration: () => ({ get: (name, usual) => seen.settings[name] ?? usual }),
      onDidOpenTextDocument: listener => opened.event(listener),
    },
    { get: (own, key) => (key in own ? own[key] : disposable) },
  ),
  commands: { registerCommand: disposable, executeCommand: async () => undefined },
}

/** Open a document with a language, as the editor does. */
function open(uri, languageId, text) {
  const document = {
    uri: own.Uri.parse(uri),
    languageId,
    version: 1,
    isClosed: false,
    getText: () => text,
  }
  seen.documents.push(document)
  opened.fire(document)
  return document
}

module.exports = new Proxy(
  { ...own, seen, open },
  {
    get(target, key) {
      if (!(key in target)) target[key] = anything()
      return target[key]
    },
  },
)
