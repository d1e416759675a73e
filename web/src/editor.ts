// The spec editor: CodeMirror with findings, completion and hover of the server. Loaded on first use.

import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  HighlightStyle,
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Command } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Completion, Finding, Fix } from "./protocol";

/** Callbacks of the editor. Offsets count code points. */
export interface EditorHandlers {
  changed(): void;
  complete(text: string, offset: number): Promise<Completion>;
  hover(text: string, offset: number): Promise<{ from: number; to: number; shown: Node } | null>;
}

export interface Editor {
  readonly text: string;
  setText(text: string): void;
  setFindings(findings: Finding[]): void;
  apply(fix: Fix): void;
  goTo(offset: number): void;
}

/** Create an editor in a shadow root: the content policy forbids styles in elements. */
export function createEditor(host: HTMLElement, text: string, handlers: EditorHandlers): Editor {
  const root = host.attachShadow({ mode: "open" });
  const applyFix: Command = () => {
    const { point } = offsets();
    const fix = fixAt(shownFindings, point(view.state.selection.main.head));
    if (fix) apply(fix);
    return fix !== null;
  };
  const view = new EditorView({ root, parent: root, state: createState(text, handlers, applyFix) });
  const offsets = () => new Offsets(view.state.doc.toString());
  let shownFindings: Finding[] = [];
  const apply = ({ from, to, text: insert }: Fix) => {
    const { unit } = offsets();
    view.dispatch({ changes: { from: unit(from), to: unit(to), insert } });
    view.focus();
  };
  return {
    get text() {
      return view.state.doc.toString();
    },
    setText(insert) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
    },
    setFindings(findings) {
      shownFindings = findings;
      const { unit } = offsets();
      const shown = findings.flatMap((finding) => {
        const { from, to, severity, message, help, fix } = finding;
        if (from === null || to === null) return [];
        const actions = fix ? [{ name: "Fix", apply: () => apply(fix) }] : [];
        const text = help ? `${message}\n${help}` : message;
        return [{ from: unit(from), to: Math.max(unit(to), unit(from)), severity, message: text, actions }];
      });
      view.dispatch(setDiagnostics(view.state, shown));
    },
    apply,
    goTo(offset) {
      const anchor = offsets().unit(offset);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
  };
}

/** Return the fix of the finding at an offset, else of the next finding with a fix. */
function fixAt(findings: Finding[], offset: number): Fix | null {
  const fixable = findings.filter(({ fix }) => fix !== null);
  const current = fixable.find(({ from, to }) => (from ?? 0) <= offset && offset <= (to ?? 0));
  const next = fixable.find(({ from }) => (from ?? 0) > offset);
  return (current ?? next ?? fixable[0])?.fix ?? null;
}

function createState(doc: string, handlers: EditorHandlers, applyFix: Command): EditorState {
  return EditorState.create({ doc, extensions: extensions(handlers, applyFix) });
}

function extensions(handlers: EditorHandlers, applyFix: Command): Extension[] {
  return [
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of("  "),
    bracketMatching(),
    highlightSelectionMatches(),
    yaml(),
    syntaxHighlighting(COLOURS),
    autocompletion({ override: [(context) => completions(handlers, context)] }),
    hoverTooltip((view, at) => tooltip(handlers, view, at)),
    keymap.of([
      { key: "Mod-.", run: applyFix },
      ...defaultKeymap,
      ...historyKeymap,
      ...searchKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({
      "aria-label": "The spec. Escape, then Tab, leaves the editor",
      spellcheck: "false",
      tabindex: "0",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) handlers.changed();
    }),
    EditorView.lineWrapping,
    THEME,
  ];
}

async function completions(handlers: EditorHandlers, context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w-]+/);
  if (!word && !context.explicit) return null;
  const text = context.state.doc.toString();
  const offsets = new Offsets(text);
  const result = await handlers.complete(text, offsets.point(context.pos));
  if (context.aborted || !result.items.length) return null;
  return {
    from: offsets.unit(result.from),
    options: result.items.map(({ label, kind, detail, write }) => ({
      label,
      type: kind,
      detail,
      apply: write,
    })),
    validFor: /^[\w-]*$/,
  };
}

async function tooltip(handlers: EditorHandlers, view: EditorView, at: number) {
  const text = view.state.doc.toString();
  const offsets = new Offsets(text);
  const result = await handlers.hover(text, offsets.point(at));
  if (!result) return null;
  const { from, to, shown } = result;
  const create = () => {
    const dom = document.createElement("div");
    dom.append(shown);
    return { dom };
  };
  return { pos: offsets.unit(from), end: offsets.unit(to), above: true, create };
}

/** Conversion of offsets between UTF-16 code units (browser) and code points (server). */
class Offsets {
  private readonly isSame: boolean;

  constructor(private readonly text: string) {
    this.isSame = !/[\ud800-\udbff]/.test(text);
  }

  readonly unit = (point: number): number => {
    if (this.isSame) return Math.min(point, this.text.length);
    return Array.from(this.text).slice(0, point).join("").length;
  };

  readonly point = (unit: number): number =>
    this.isSame ? unit : Array.from(this.text.slice(0, unit)).length;
}

// Colours are custom properties of the page, which defines both colour schemes in one place.
const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.content], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.keyword], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket], color: "var(--code-sign)" },
]);

const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--sheet)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: MONO, lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.75rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": {
    backgroundColor: "var(--sheet)",
    color: "var(--faint)",
    border: "none",
    paddingLeft: "0.25rem",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active-line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "var(--selection)" },
  ".cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "1px solid var(--line)" },
  ".cm-lintRange-error, .cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-lintRange-warning": { textDecorationColor: "var(--warn)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    boxShadow: "0 6px 24px rgb(0 0 0 / .18)",
    maxWidth: "min(36rem, 90vw)",
    overflow: "hidden",
  },
  ".cm-tooltip-hover": { padding: "0 0.75rem", fontFamily: "system-ui, sans-serif" },
  ".cm-tooltip-hover pre": { fontFamily: MONO, whiteSpace: "pre-wrap", margin: "0.5rem 0" },
  ".cm-tooltip-hover p": { margin: "0.5rem 0" },
  ".cm-tooltip-hover code": { fontFamily: MONO, fontSize: "0.95em" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: MONO },
  ".cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.6rem" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-completionDetail": { color: "inherit", opacity: "0.75" },
  ".cm-diagnostic": { padding: "0.4rem 0.75rem", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warn)" },
  ".cm-diagnosticAction": {
    font: "inherit",
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
    borderRadius: "6px",
    padding: "0.1rem 0.6rem",
    border: "0",
  },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)" },
  ".cm-panels button, .cm-panels input": { font: "inherit" },
  ".cm-searchMatch": { backgroundColor: "var(--selection)" },
});
