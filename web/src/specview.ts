// The view with the spec editor: the text is checked while the user types, and valid specs are played.

import { ApiError, fetchSpec, request } from "./api";
import type { Board } from "./board";
import { button, el, fill, selectBox } from "./dom";
import type { Editor, EditorHandlers } from "./editor";
import { isAbortError } from "./errors";
import { copy, download, openFile } from "./files";
import { notify, reportError, runAsync } from "./notices";
import type { Completion, Finding, Rules, TestReport } from "./protocol";
import type { Session } from "./session";
import { toFragment } from "./share";
import { StartPosition, withStart } from "./startposition";
import { STARTING_POINTS } from "./template";
import { markdown, rulesText } from "./views";

const CHECK_DELAY = 40; // milliseconds from a key press to the check of the text
const MAX_FINDINGS = 30; // findings in the list

export class SpecView {
  readonly element = el("section", { class: "editing", "aria-label": "Spec" });
  private readonly host = el("div", { class: "editor" });
  private readonly findings = el("div", { class: "findings", "aria-live": "polite" });
  private readonly output = el("div", { class: "answer" });
  private editor: Editor | null = null;
  private checkTimer = 0;
  private checkController: AbortController | null = null;
  /** The text of the editor that the session has loaded last. */
  private playedText = "";
  private readonly startPosition = new StartPosition();
  private readonly drawButton = button("Set up the start", () => runAsync(() => this.toggleDrawing()), {
    "aria-pressed": "false",
  });

  constructor(
    private readonly session: Session,
    private readonly board: Board,
  ) {
    const names = Object.keys(STARTING_POINTS).map((name) => [name, name] as const);
    const templates: HTMLSelectElement = selectBox(
      [["", "Start from …"], ...names],
      "",
      (name) => {
        this.useTemplate(name);
        templates.value = "";
      },
      { "aria-label": "Start from" },
    );
    this.element.append(
      el(
        "div",
        { class: "row tools" },
        templates,
        this.drawButton,
        button("Share", () => runAsync(() => this.share())),
        button("Run the tests", () => this.showOutput(() => this.test())),
        button("Rules in English", () => this.showOutput(() => this.rules())),
        button("Format", () => runAsync(() => this.format())),
        button("Download", () => download("game.yaml", this.text, "application/yaml")),
        button("Open", () => openFile(".yaml,.yml,.txt", async (text) => this.replaceText(text))),
      ),
      this.startPosition.element,
      this.host,
      el("p", { class: "keys" }, "F8 goes to the next finding, Ctrl-. applies its fix, Ctrl-Space completes a word."),
      this.findings,
      this.output,
    );
  }

  /** Show the spec of the session; the first call loads the editor. */
  async show(): Promise<void> {
    const text = await this.fetchText();
    if (!this.editor) {
      const { createEditor } = (await import("./editor.js")) as typeof import("./editor");
      this.editor ??= createEditor(this.host, text, this.editorHandlers());
    } else if (text !== this.playedText) {
      this.editor.setText(text);
    }
    this.playedText = text;
    await this.check();
  }

  /** End the setup of the start position, which only this view has. */
  close(): void {
    this.board.onCell = null;
    this.drawButton.setAttribute("aria-pressed", "false");
    this.startPosition.element.hidden = true;
  }

  /** Replace the text by a template; the editor can undo this. */
  private useTemplate(name: string): void {
    const text = STARTING_POINTS[name];
    if (text !== undefined) this.replaceText(text);
  }

  private async share(): Promise<void> {
    const { spec, ...rest } = this.session.linked;
    const text = this.text || (await this.fetchText());
    const address = new URL(location.href);
    address.hash = `edit/~${await toFragment({ ...rest, spec: { text }, moves: [] })}`;
    await copy(address.href, "The link to this spec");
  }

  /** Begin or end the setup of the start position on the board. */
  private async toggleDrawing(): Promise<void> {
    if (this.board.onCell) return this.close();
    if (this.session.record.moves.length) await this.session.restart({});
    this.board.onCell = (cell) => this.placePiece(cell);
    this.drawButton.setAttribute("aria-pressed", "true");
    this.startPosition.element.hidden = false;
    this.startPosition.show(this.session.position!);
    return undefined;
  }

  private placePiece(cell: number): void {
    const { position } = this.session;
    const rows = position && this.startPosition.rowsWith(position, cell);
    if (rows) this.replaceText(withStart(this.text, rows));
  }

  private get text(): string {
    return this.editor?.text ?? "";
  }

  private get spec() {
    return { spec: { text: this.text } };
  }

  private async fetchText(): Promise<string> {
    const { spec } = this.session.record;
    return "text" in spec ? spec.text : fetchSpec(spec.name);
  }

  /** Return the callbacks of the editor. */
  private editorHandlers(): EditorHandlers {
    return {
      changed: () => {
        clearTimeout(this.checkTimer);
        this.checkTimer = setTimeout(() => runAsync(() => this.check(true)), CHECK_DELAY);
      },
      complete: (text, offset) => request<Completion>("complete", { spec: { text }, offset }),
      hover: async (text, offset) => {
        const body = { spec: { text }, offset };
        const info = await request<{ from: number; to: number; markdown: string }>("hover", body);
        return info.markdown ? { ...info, shown: markdown(info.markdown) } : null;
      },
    };
  }

  /** Replace the text of the editor, as if the user had typed it. */
  private replaceText(text: string): void {
    this.editor?.setText(text);
    runAsync(() => this.check(true));
  }

  /** Check the text, and load it into the session if it has changed and is valid. */
  private async check(hasChanged = false): Promise<void> {
    this.checkController?.abort();
    const control = new AbortController();
    this.checkController = control;
    const text = this.text;
    try {
      const { findings } = await request<{ findings: Finding[] }>("check", this.spec, control.signal);
      if (this.text !== text) return;
      this.editor?.setFindings(findings);
      this.showFindings(findings);
      const isValid = findings.every(({ severity }) => severity !== "error");
      if (isValid && hasChanged && text !== this.playedText) await this.playText(text);
    } catch (error) {
      if (!isAbortError(error)) reportError(error);
    }
  }

  /** Load the text into the session, without parameters that the spec no longer has. */
  private async playText(text: string): Promise<void> {
    const { record, position } = this.session;
    const names = new Set(position?.declared.map(({ name }) => name));
    const validParameters = Object.entries(record.parameters).filter(([name]) => names.has(name));
    const next = { ...record, spec: { text }, parameters: Object.fromEntries(validParameters) };
    this.playedText = text;
    try {
      await this.session.replace(next, this.session.ply);
    } catch (error) {
      if (!(error instanceof ApiError) || !["game", "spec"].includes(error.kind)) throw error;
      // A value, a transform or a move is no longer valid.
      await this.session.replace({ spec: { text }, parameters: {}, moves: [] });
    }
  }

  private showFindings(findings: Finding[]): void {
    const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
    const head = el("p", { class: "head" }, findings.length ? count : "No findings");
    fill(this.findings, head, ...findings.slice(0, MAX_FINDINGS).map((one, at) => this.findingItem(one, at === 0)));
    this.findings.classList.toggle("clean", !findings.length);
  }

  private findingItem(finding: Finding, isOpen: boolean): HTMLElement {
    const { severity, message, line, column, text, fix, from } = finding;
    const position = button(`${line}:${column}`, () => from !== null && this.editor?.goTo(from), {
      class: "quiet place",
      "aria-label": `Go to line ${line}, column ${column}`,
    });
    const fixButton = fix && button("Fix", () => this.editor?.apply(fix), { class: "fix" });
    return el(
      "div",
      { class: `finding ${severity}` },
      el("div", { class: "row" }, el("span", { class: "message" }, message), position, fixButton),
      el(
        "details",
        { open: isOpen },
        el("summary", {}, "Show in the spec"),
        el("pre", { tabindex: 0, "aria-label": message, role: "region" }, text),
      ),
    );
  }

  private showOutput(task: () => Promise<Node>): void {
    fill(this.output, el("p", { class: "busy" }, "…"));
    task().then(
      (output) => {
        const close = button("Close", () => fill(this.output), { class: "quiet close" });
        fill(this.output, close, output);
        this.output.scrollIntoView({ block: "nearest" });
      },
      (error: unknown) => {
        fill(this.output);
        reportError(error);
      },
    );
  }

  private async test(): Promise<Node> {
    const { passed, failed } = await request<TestReport>("test", this.spec);
    const head = `${passed} passed, ${failed.length} failed`;
    const element = el("div", {}, el("p", { class: failed.length ? "bad" : "good" }, head));
    for (const { name, line, differences } of failed) {
      element.append(el("h3", {}, `${name} (line ${line})`), el("pre", {}, differences.join("\n")));
    }
    return element;
  }

  private async rules(): Promise<Node> {
    const { parameters, with: transforms } = this.session.record;
    const body = { ...this.spec, parameters, with: transforms };
    return rulesText(await request<Rules>("rules", body));
  }

  private async format(): Promise<void> {
    const { text } = await request<{ text: string }>("format", this.spec);
    if (text === this.text) notify("The spec is already formatted.");
    else this.replaceText(text);
  }
}
