// The analysis view: a search of the shown position, and the annotation of the whole game.

import { requestStream } from "./api";
import type { Board } from "./board";
import { button, el, field, fill, selectBox } from "./dom";
import { isAbortError } from "./errors";
import { isAsGood, summary, valueGraph } from "./graph";
import type { MoveList } from "./movelist";
import { sideOf } from "./names";
import { announce, reportError, runAsync } from "./notices";
import type { MoveAnnotation, Position, SearchResult, Value } from "./protocol";
import type { Session } from "./session";

const SEARCH_TIMES = [0.3, 1, 3, 10]; // seconds
const MAX_ROWS = 24; // moves in the table
const MAX_LINE = 10; // moves of the best line
const ANNOTATION_NODES = 3000; // for each search of an annotation

export class Analysis {
  readonly value = el("div", { class: "value" });
  readonly line = el("p", { class: "bestline", role: "group", "aria-label": "Best line" });
  readonly element = el("section", { class: "analysis", "aria-label": "Analysis" });
  /** The visible parts: nothing, the bar with the best line, or also the values of all moves. */
  visibleParts: "nothing" | "bar" | "all" = "nothing";
  private readonly bar = el("div", { class: "valuebar", role: "meter", "aria-label": "Value" });
  private readonly number = el("span");
  private seconds = "1";
  private searchController: AbortController | null = null;
  private annotationController: AbortController | null = null;
  private readonly table = el("table", { class: "move-values" });
  private readonly graph = el("div", { class: "graph" });
  private readonly progressBar = el("progress", { max: 1, "aria-label": "Progress of the search" });
  private readonly progress = el("p", { class: "note" });
  private readonly annotationStatus = el("p", { class: "note", role: "status" });
  private readonly annotateButton = button("Annotate the game", () => runAsync(() => this.annotate()));

  constructor(
    private readonly session: Session,
    private readonly board: Board,
    private readonly moves: MoveList,
  ) {
    const time = selectBox(
      SEARCH_TIMES.map((seconds) => [String(seconds), `${seconds} s`] as const),
      this.seconds,
      (seconds) => {
        this.seconds = seconds;
        if (this.session.position) this.show(this.session.position);
      },
    );
    this.element.append(
      el("div", { class: "row" }, field("Search for", time), this.annotateButton),
      this.progressBar,
      this.progress,
      el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Moves by value" }, this.table),
      this.annotationStatus,
      this.graph,
    );
    this.bar.append(el("span"));
    this.setBar(0, "");
  }

  /** Search a position, if the analysis is visible. */
  show(position: Position): void {
    this.searchController?.abort();
    this.value.hidden = this.line.hidden = this.visibleParts === "nothing";
    const isUnsearched = position.outcome || !position.legal.length || position.problem;
    const isUnseen = position.hides && position.chance; // no player is to move
    if (this.visibleParts === "nothing" || isUnsearched || isUnseen) {
      return this.clear(position);
    }
    const control = new AbortController();
    this.searchController = control;
    this.renderSides(position);
    this.progressBar.hidden = false;
    this.progressBar.value = 0;
    const body = { ...this.session.shownRecord, seconds: Number(this.seconds) };
    const onResult = (result: SearchResult) => this.showResult(result, position);
    requestStream<SearchResult>("search", body, onResult, control.signal).catch((error: unknown) => {
      if (!isAbortError(error)) this.progress.textContent = (error as Error).message;
    });
  }

  stop(): void {
    this.searchController?.abort();
    this.annotationController?.abort();
    this.searchController = this.annotationController = null;
  }

  /** Render the value bar between the names of the sides. */
  private renderSides(position: Position): void {
    const [first, second] = position.players.map((player) => sideOf(position, player));
    fill(this.value, el("span", {}, first ?? ""), this.number, el("span", {}, second ?? ""), this.bar);
  }

  private clear({ outcome, players }: Position): void {
    fill(this.table);
    fill(this.line);
    this.progress.textContent = "";
    this.progressBar.hidden = true;
    if (outcome) this.setBar(outcome.winner === null ? 0 : outcome.winner === players[0] ? 1 : -1, "");
  }

  private showResult(result: SearchResult, position: Position): void {
    const { value, line } = result;
    const isFirst = position.mover === position.players[0];
    const mover = sideOf(position, position.mover);
    if (value) this.setBar(isFirst ? value.bar : -value.bar, `${mover} ${value.description}`);
    this.showLine(line.slice(0, MAX_LINE));
    this.showProgress(result);
    if (!result.moves.length || this.visibleParts !== "all") return;
    this.board.showValues(result.moves.filter((move) => isExact(move, value)));
    fill(this.table, el("caption", {}, "Moves, best first"), el("tbody", {}, ...this.tableRows(result)));
  }

  /** Show the elapsed time, the depth and the number of positions. */
  private showProgress({ depth, nodes, seconds, done }: SearchResult): void {
    const limit = Number(this.seconds);
    this.progressBar.value = done ? 1 : Math.min(1, seconds / limit);
    const time = done ? `${seconds.toFixed(1)} s` : `${seconds.toFixed(1)} of ${limit} s`;
    const deep = depth === null ? "" : `, ${depth} ${depth === 1 ? "move" : "moves"} deep`;
    this.progress.textContent = `${time}${deep}, ${nodes.toLocaleString("en")} positions`;
  }

  /** Show the best line as buttons, each of which plays the line up to its move. */
  private showLine(line: string[]): void {
    const { record, ply: at } = this.session;
    const played = record.moves.slice(0, at);
    const play = (length: number) =>
      this.session.replace({ ...record, moves: [...played, ...line.slice(0, length)] });
    const items = line.map((text, index) =>
      button(text, () => runAsync(() => play(index + 1)), { class: "move" }),
    );
    fill(this.line, line.length > 0 && el("span", {}, "Best line"), ...items);
  }

  private tableRows({ moves, value: best }: SearchResult): HTMLElement[] {
    return moves.slice(0, MAX_ROWS).map((move) => {
      const { text, value } = move;
      const play = button(text, () => runAsync(() => this.session.play(text)), { class: "move" });
      const result = isExact(move, best) ? value.description : "not better";
      return el("tr", {}, el("td", {}, play), el("td", { class: "value-tag" }, result), valueMeter(value));
    });
  }

  /** Set the value bar, which is full if the first player has won. */
  private setBar(bar: number, text: string): void {
    const percent = Math.round(50 + 50 * bar);
    this.bar.style.setProperty("--value", `${percent}%`);
    this.bar.setAttribute("aria-valuenow", String(percent));
    this.bar.setAttribute("aria-valuemin", "0");
    this.bar.setAttribute("aria-valuemax", "100");
    this.number.textContent = text;
    if (text) this.bar.setAttribute("aria-valuetext", text);
  }

  /** Search each position of the game and mark the moves that lost a win or a draw. */
  private async annotate(): Promise<void> {
    if (this.annotationController) return this.annotationController.abort();
    const { record, position } = this.session;
    if (!record.moves.length || !position) return announce("There are no moves yet");
    const notes: MoveAnnotation[] = [];
    const control = new AbortController();
    this.annotationController = control;
    this.annotateButton.textContent = "Stop";
    const onResult = (note: MoveAnnotation) => {
      if (note.done) return;
      notes.push(note);
      this.markMove(note);
      this.annotationStatus.textContent = `${note.ply} of ${record.moves.length} moves annotated`;
      const go = (ply: number) => runAsync(() => this.session.goTo(ply));
      fill(this.graph, valueGraph(notes, position.players[0]!, go));
      if (this.session.position) this.moves.show(this.session.position);
    };
    try {
      await requestStream<MoveAnnotation>("annotate", { ...record, nodes: ANNOTATION_NODES }, onResult, control.signal);
    } catch (error) {
      reportError(error);
    } finally {
      this.annotationController = null;
      this.annotateButton.textContent = "Annotate the game";
    }
    this.annotationStatus.textContent = summary(notes);
    return undefined;
  }

  private markMove(note: MoveAnnotation): void {
    const loss = note.before.bar - note.after.bar;
    const sign = isAsGood(note) ? "" : note.turns ? "??" : loss > 0.4 ? "?" : loss > 0.2 ? "?!" : "";
    if (!sign) return;
    const { before, after, best, player } = note;
    const title = `${best} was better: ${player} ${before.description}; now ${player} ${after.description}`;
    this.moves.annotate(note.ply, sign, title);
  }
}

/** True if a value is exact, or an upper bound below the value of the best move. */
function isExact({ value, at_most: isBound }: SearchResult["moves"][number], best: Value | null): boolean {
  return !isBound || value.unit !== best?.unit || value.number < best.number;
}

function valueMeter({ bar }: Value): HTMLElement {
  const element = el("span", { class: bar >= 0 ? "good" : "bad" });
  element.style.width = `${Math.max(2, Math.abs(bar) * 50)}%`;
  element.style.marginLeft = bar >= 0 ? "50%" : `${50 - Math.abs(bar) * 50}%`;
  return el("td", { class: "meter", "aria-hidden": "true" }, element);
}
