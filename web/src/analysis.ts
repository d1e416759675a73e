// What moves are worth: a search that goes on while one looks, and a whole game looked at.

import { requestStream } from "./api";
import type { Board } from "./board";
import { button, selectBox, el, field, fill } from "./dom";
import { isAbortError } from "./errors";
import { isAsGood, summary, valueGraph } from "./graph";
import type { MoveList } from "./movelist";
import { sideOf } from "./names";
import { reportError, announce, runAsync } from "./notices";
import type { SearchResult, MoveAnnotation, Position, Value } from "./protocol";
import type { Session } from "./session";

const TIMES = [0.3, 1, 3, 10]; // seconds
const SHOWN = 24; // moves in the table
const LINE = 10; // moves of the best line
const NODES = 3000; // for each search of a game that is annotated

export class Analysis {
  readonly value = el("div", { class: "value" });
  readonly line = el("p", { class: "bestline", role: "group", "aria-label": "Best line" });
  readonly element = el("section", { class: "analysis", "aria-label": "Analysis" });
  /** What is shown: nothing, the bar and the best line, or the worth of all moves. */
  shows: "nothing" | "bar" | "all" = "nothing";
  private readonly bar = el("div", { class: "valuebar", role: "meter", "aria-label": "Value" });
  private readonly number = el("span");
  private seconds = "1";
  private searching: AbortController | null = null;
  private annotating: AbortController | null = null;
  private readonly table = el("table", { class: "worths" });
  private readonly graph = el("div", { class: "graph" });
  private readonly done = el("progress", { max: 1, "aria-label": "Progress of the search" });
  private readonly told = el("p", { class: "told" });
  private readonly annotated = el("p", { class: "told", role: "status" });
  private readonly notes = button("Annotate the game", () => runAsync(() => this.annotate()));

  constructor(
    private readonly session: Session,
    private readonly board: Board,
    private readonly moves: MoveList,
  ) {
    const time = selectBox(
      TIMES.map((seconds) => [String(seconds), `${seconds} s`] as const),
      this.seconds,
      (seconds) => {
        this.seconds = seconds;
        if (this.session.position) this.show(this.session.position);
      },
    );
    this.element.append(
      el("div", { class: "row" }, field("Search for", time), this.notes),
      this.done,
      this.told,
      el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Moves by value" }, this.table),
      this.annotated,
      this.graph,
    );
    this.bar.append(el("span"));
    this.setBar(0, "");
  }

  /** Looks at a position, if it is on. */
  show(position: Position): void {
    this.searching?.abort();
    this.value.hidden = this.line.hidden = this.shows === "nothing";
    if (this.shows === "nothing" || position.outcome || !position.legal.length || position.problem) {
      return this.clear(position);
    }
    const control = new AbortController();
    this.searching = control;
    this.name(position);
    this.done.hidden = false;
    this.done.value = 0;
    const body = { ...this.session.shownRecord, seconds: Number(this.seconds) };
    const each = (found: SearchResult) => this.tell(found, position);
    requestStream<SearchResult>("search", body, each, control.signal).catch((error: unknown) => {
      if (!isAbortError(error)) this.told.textContent = (error as Error).message;
    });
  }

  stop(): void {
    this.searching?.abort();
    this.annotating?.abort();
    this.searching = this.annotating = null;
  }

  /** The bar between the names of who gains to the left and to the right. */
  private name(position: Position): void {
    const [first, second] = position.players.map((player) => sideOf(position, player));
    fill(this.value, el("span", {}, first ?? ""), this.number, el("span", {}, second ?? ""), this.bar);
  }

  private clear({ outcome, players }: Position): void {
    fill(this.table);
    fill(this.line);
    this.told.textContent = "";
    this.done.hidden = true;
    if (outcome) this.setBar(outcome.winner === null ? 0 : outcome.winner === players[0] ? 1 : -1, "");
  }

  private tell(found: SearchResult, position: Position): void {
    const { value, line } = found;
    const isFirst = position.mover === position.players[0];
    const mover = sideOf(position, position.mover);
    if (value) this.setBar(isFirst ? value.bar : -value.bar, `${mover} ${value.said}`);
    this.tellLine(line.slice(0, LINE));
    this.tellProgress(found);
    if (!found.moves.length || this.shows !== "all") return;
    this.board.showWorths(found.moves.filter((move) => isTold(move, value)));
    fill(this.table, el("caption", {}, "Moves, best first"), el("tbody", {}, ...this.rows(found)));
  }

  /** The time that has passed, and what was searched in it. */
  private tellProgress({ depth, nodes, seconds, done }: SearchResult): void {
    const asked = Number(this.seconds);
    this.done.value = done ? 1 : Math.min(1, seconds / asked);
    const time = done ? `${seconds.toFixed(1)} s` : `${seconds.toFixed(1)} of ${asked} s`;
    const deep = depth === null ? "" : `, ${depth} ${depth === 1 ? "move" : "moves"} deep`;
    this.told.textContent = `${time}${deep}, ${nodes.toLocaleString("en")} positions`;
  }

  /** The best line as buttons, each of which plays the line up to its move. */
  private tellLine(line: string[]): void {
    const { record, ply: at } = this.session;
    const played = record.moves.slice(0, at);
    const play = (length: number) =>
      this.session.replace({ ...record, moves: [...played, ...line.slice(0, length)] });
    const items = line.map((text, index) =>
      button(text, () => runAsync(() => play(index + 1)), { class: "move" }),
    );
    fill(this.line, line.length > 0 && el("span", {}, "Best line"), ...items);
  }

  private rows({ moves, value: best }: SearchResult): HTMLElement[] {
    return moves.slice(0, SHOWN).map((move) => {
      const { text, value } = move;
      const play = button(text, () => runAsync(() => this.session.play(text)), { class: "move" });
      const said = isTold(move, best) ? value.said : "not better";
      return el("tr", {}, el("td", {}, play), el("td", { class: "worth" }, said), meter(value));
    });
  }

  /** The bar is full where the first player has won. */
  private setBar(bar: number, text: string): void {
    const percent = Math.round(50 + 50 * bar);
    this.bar.style.setProperty("--value", `${percent}%`);
    this.bar.setAttribute("aria-valuenow", String(percent));
    this.bar.setAttribute("aria-valuemin", "0");
    this.bar.setAttribute("aria-valuemax", "100");
    this.number.textContent = text;
    if (text) this.bar.setAttribute("aria-valuetext", text);
  }

  /** Looks at each move of the game, and marks those that threw away a win or a draw. */
  private async annotate(): Promise<void> {
    if (this.annotating) return this.annotating.abort();
    const { record, position } = this.session;
    if (!record.moves.length || !position) return announce("There are no moves yet");
    const notes: MoveAnnotation[] = [];
    const control = new AbortController();
    this.annotating = control;
    this.notes.textContent = "Stop";
    const each = (note: MoveAnnotation) => {
      if (note.done) return;
      notes.push(note);
      this.remark(note);
      this.annotated.textContent = `${note.ply} of ${record.moves.length} moves annotated`;
      const go = (ply: number) => runAsync(() => this.session.goTo(ply));
      fill(this.graph, valueGraph(notes, position.players[0]!, go));
      if (this.session.position) this.moves.show(this.session.position);
    };
    try {
      await requestStream<MoveAnnotation>("annotate", { ...record, nodes: NODES }, each, control.signal);
    } catch (error) {
      reportError(error);
    } finally {
      this.annotating = null;
      this.notes.textContent = "Annotate the game";
    }
    this.annotated.textContent = summary(notes);
    return undefined;
  }

  private remark(note: MoveAnnotation): void {
    const lost = note.before.bar - note.after.bar;
    const sign = isAsGood(note) ? "" : note.turns ? "??" : lost > 0.4 ? "?" : lost > 0.2 ? "?!" : "";
    if (!sign) return;
    const { before, after, best, player } = note;
    const title = `${best} was better: ${player} ${before.said}; now ${player} ${after.said}`;
    this.moves.remark(note.ply, sign, title);
  }
}

/** True unless a value is an upper bound that says only that a move is not better than the best. */
function isTold({ value, at_most: isBound }: SearchResult["moves"][number], best: Value | null): boolean {
  return !isBound || value.unit !== best?.unit || value.number < best.number;
}

function meter({ bar }: Value): HTMLElement {
  const made = el("span", { class: bar >= 0 ? "good" : "bad" });
  made.style.width = `${Math.max(2, Math.abs(bar) * 50)}%`;
  made.style.marginLeft = bar >= 0 ? "50%" : `${50 - Math.abs(bar) * 50}%`;
  return el("td", { class: "meter", "aria-hidden": "true" }, made);
}
