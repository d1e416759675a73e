// A spec beside its board: what is typed is checked, and played if it can be.

import { ApiError, request, fetchSpec } from "./api";
import type { Board } from "./board";
import { button, selectBox, el, fill } from "./dom";
import { isAbortError } from "./errors";
import type { Asked, Editor } from "./editor";
import { copy, download, openText } from "./files";
import { reportError, notify, runAsync } from "./notices";
import type { Completion, Finding, Rules, TestReport } from "./protocol";
import type { Session } from "./session";
import { toFragment } from "./share";
import { StartDrawing, withStart } from "./startposition";
import { STARTING_POINTS } from "./template";
import { markdown, rulesText } from "./views";

const PAUSE = 40; // milliseconds without a key, after which a text is checked
const TOLD = 30; // findings that are listed

export class Editing {
  readonly element = el("section", { class: "editing", "aria-label": "Spec" });
  private readonly host = el("div", { class: "editor" });
  private readonly findings = el("div", { class: "findings", "aria-live": "polite" });
  private readonly told = el("div", { class: "answer" });
  private editor: Editor | null = null;
  private waiting = 0;
  private checking: AbortController | null = null;
  private played = ""; // the text of the session when last it and the editor agreed
  private readonly drawing = new StartDrawing();
  private readonly draws = button("Draw the start", () => runAsync(() => this.draw()), {
    "aria-pressed": "false",
  });

  constructor(
    private readonly session: Session,
    private readonly board: Board,
  ) {
    const names = Object.keys(STARTING_POINTS).map((name) => [name, name] as const);
    const begin: HTMLSelectElement = selectBox(
      [["", "Start from …"], ...names],
      "",
      (name) => {
        this.begin(name);
        begin.value = "";
      },
      { "aria-label": "Start from" },
    );
    this.element.append(
      el(
        "div",
        { class: "row tools" },
        begin,
        this.draws,
        button("Share", () => runAsync(() => this.share())),
        button("Run its tests", () => this.tell(() => this.test())),
        button("Rules in English", () => this.tell(() => this.rules())),
        button("Format", () => runAsync(() => this.format())),
        button("Download", () => download("game.yaml", this.text, "application/yaml")),
        button("Open", () => openText(".yaml,.yml,.txt", async (text) => this.take(text))),
      ),
      this.drawing.element,
      this.host,
      el("p", { class: "keys" }, "F8 goes to the next finding, Ctrl-. applies its fix, Ctrl-Space completes a word."),
      this.findings,
      this.told,
    );
  }

  /** Shows the spec of the session; the editor is loaded when this is first called. */
  async show(): Promise<void> {
    const text = await this.textOf();
    if (!this.editor) {
      const { makeEditor } = (await import("./editor.js")) as typeof import("./editor");
      this.editor ??= makeEditor(this.host, text, this.asked());
    } else if (text !== this.played) {
      this.editor.setText(text);
    }
    this.played = text;
    await this.check();
  }

  /** Ends what only this view does. */
  leave(): void {
    this.board.paint = null;
    this.draws.setAttribute("aria-pressed", "false");
    this.drawing.element.hidden = true;
  }

  /** Replaces the text by a starting point; the editor can undo that. */
  private begin(name: string): void {
    const text = STARTING_POINTS[name];
    if (text !== undefined) this.take(text);
  }

  private async share(): Promise<void> {
    const { spec, ...rest } = this.session.linked;
    const text = this.text || (await this.textOf());
    const address = new URL(location.href);
    address.hash = `edit/~${await toFragment({ ...rest, spec: { text }, moves: [] })}`;
    await copy(address.href, "The link to this spec");
  }

  /** Begins or ends drawing the start position on the board. */
  private async draw(): Promise<void> {
    if (this.board.paint) return this.leave();
    if (this.session.record.moves.length) await this.session.restart({});
    this.board.paint = (cell) => this.put(cell);
    this.draws.setAttribute("aria-pressed", "true");
    this.drawing.element.hidden = false;
    this.drawing.show(this.session.position!);
    return undefined;
  }

  private put(cell: number): void {
    const { position } = this.session;
    const rows = position && this.drawing.rows(position, cell);
    if (rows) this.take(withStart(this.text, rows));
  }

  private get text(): string {
    return this.editor?.text ?? "";
  }

  private get spec() {
    return { spec: { text: this.text } };
  }

  private async textOf(): Promise<string> {
    const { spec } = this.session.record;
    return "text" in spec ? spec.text : fetchSpec(spec.name);
  }

  /** What the editor asks. */
  private asked(): Asked {
    return {
      changed: () => {
        clearTimeout(this.waiting);
        this.waiting = setTimeout(() => runAsync(() => this.check(true)), PAUSE);
      },
      complete: (text, offset) => request<Completion>("complete", { spec: { text }, offset }),
      hover: async (text, offset) => {
        const body = { spec: { text }, offset };
        const found = await request<{ from: number; to: number; markdown: string }>("hover", body);
        return found.markdown ? { ...found, shown: markdown(found.markdown) } : null;
      },
    };
  }

  /** Puts a text in the editor, as if it had been typed. */
  private take(text: string): void {
    this.editor?.setText(text);
    runAsync(() => this.check(true));
  }

  /** Checks the text, and plays by it if it has changed and has no mistakes. */
  private async check(hasChanged = false): Promise<void> {
    this.checking?.abort();
    const control = new AbortController();
    this.checking = control;
    const text = this.text;
    try {
      const { findings } = await request<{ findings: Finding[] }>("check", this.spec, control.signal);
      if (this.text !== text) return;
      this.editor?.setFindings(findings);
      this.list(findings);
      const isSound = findings.every(({ severity }) => severity !== "error");
      if (isSound && hasChanged && text !== this.played) await this.playBy(text);
    } catch (error) {
      if (!isAbortError(error)) reportError(error);
    }
  }

  /** Lets the board follow the text; parameters that the spec no longer has are left out. */
  private async playBy(text: string): Promise<void> {
    const { record, position } = this.session;
    const names = new Set(position?.declared.map(({ name }) => name));
    const kept = Object.entries(record.parameters).filter(([name]) => names.has(name));
    const next = { ...record, spec: { text }, parameters: Object.fromEntries(kept) };
    this.played = text;
    try {
      await this.session.replace(next, this.session.ply);
    } catch (error) {
      if (!(error instanceof ApiError) || !["game", "spec"].includes(error.kind)) throw error;
      // A value, a transform or a move that fits no longer.
      await this.session.replace({ spec: { text }, parameters: {}, moves: [] });
    }
  }

  private list(findings: Finding[]): void {
    const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
    const head = el("p", { class: "head" }, findings.length ? count : "No findings");
    fill(this.findings, head, ...findings.slice(0, TOLD).map((one, at) => this.item(one, at === 0)));
    this.findings.classList.toggle("clean", !findings.length);
  }

  private item(finding: Finding, isOpen: boolean): HTMLElement {
    const { severity, message, line, column, text, fix, from } = finding;
    const place = button(`${line}:${column}`, () => from !== null && this.editor?.goTo(from), {
      class: "quiet place",
      "aria-label": `Go to line ${line}, column ${column}`,
    });
    const mend = fix && button("Fix", () => this.editor?.apply(fix), { class: "fix" });
    return el(
      "div",
      { class: `finding ${severity}` },
      el("div", { class: "row" }, el("span", { class: "message" }, message), place, mend),
      el(
        "details",
        { open: isOpen },
        el("summary", {}, "In the text"),
        el("pre", { tabindex: 0, "aria-label": message, role: "region" }, text),
      ),
    );
  }

  private tell(work: () => Promise<Node>): void {
    fill(this.told, el("p", { class: "busy" }, "…"));
    work().then(
      (answer) => {
        const close = button("Close", () => fill(this.told), { class: "quiet close" });
        fill(this.told, close, answer);
        this.told.scrollIntoView({ block: "nearest" });
      },
      (error: unknown) => {
        fill(this.told);
        reportError(error);
      },
    );
  }

  private async test(): Promise<Node> {
    const { passed, failed } = await request<TestReport>("test", this.spec);
    const head = `${passed} passed, ${failed.length} failed`;
    const made = el("div", {}, el("p", { class: failed.length ? "bad" : "good" }, head));
    for (const { name, line, differences } of failed) {
      made.append(el("h3", {}, `${name} (line ${line})`), el("pre", {}, differences.join("\n")));
    }
    return made;
  }

  private async rules(): Promise<Node> {
    const { parameters, with: transforms } = this.session.record;
    const asked = { ...this.spec, parameters, with: transforms };
    return rulesText(await request<Rules>("rules", asked));
  }

  private async format(): Promise<void> {
    const { text } = await request<{ text: string }>("format", this.spec);
    if (text === this.text) notify("The spec is in its layout already.");
    else this.take(text);
  }
}
