/** Start `rulesengine lsp` for specs, and give their files the language of specs. */

import { commands, ExtensionContext, languages, TextDocument, window, workspace } from 'vscode'
import { LanguageClient } from 'vscode-languageclient/node'

import { isSpec } from './spec'

let client: LanguageClient | undefined

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    workspace.onDidOpenTextDocument(recognise),
    commands.registerCommand('rulesengine.restart', restart),
    workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('rulesengine.command')) void restart()
    }),
  )
  await Promise.all(workspace.textDocuments.map(recognise))
  await start()
}

export async function deactivate(): Promise<void> {
  await client?.stop()
  client = undefined
}

async function restart(): Promise<void> {
  await deactivate()
  await start()
}

/** Start the server; a failure is shown once, with the setting that corrects it. */
async function start(): Promise<void> {
  const command = workspace.getConfiguration('rulesengine').get('command', 'rulesengine')
  client = new LanguageClient(
    'rulesengine',
    'rulesengine',
    { command, args: ['lsp'] },
    { documentSelector: [{ language: 'rulesengine' }, { language: 'yaml' }] },
  )
  try {
    await client.start()
  } catch (error) {
    client = undefined
    const open = 'Open Settings'
    const chosen = await window.showErrorMessage(
      `The language server \`${command} lsp\` did not start: ${error}. Set rulesengine.command to ` +
        "the program of an installation with the extra 'lsp'.",
      open,
    )
    if (chosen) {
      await commands.executeCommand('workbench.action.openSettings', 'rulesengine.command')
    }
  }
}

async function recognise(document: TextDocument): Promise<void> {
  const wanted = workspace.getConfiguration('rulesengine').get('recogniseSpecs', true)
  if (wanted && document.languageId === 'yaml' && isSpec(document.getText())) {
    await languages.setTextDocumentLanguage(document, 'rulesengine')
  }
}
