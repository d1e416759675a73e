// What moves are worth: a search that goes on while one looks, and a whole game looked at.

import { follow } from "./api";
import type { Board } from "./board";
import { button, choice, el, field, fill } from "./dom";
import { isAborted } from "./faults";
import type { MoveList } from "./movelist";
import { complain, say, tryTo } from "./notices";
import type { Found, Note, Position, Value } from "./protocol";
import type { Session } from "./session";
import { shape } from "./svg";

const TIMES = [0.3, 1, 3]; // seconds
const SHOWN = 24; // moves in the table
const NODES = 3000; // for each search of a game that is annotated

export class Analysis {
  readonly value = el("div", { class: "value" });
  readonly line = el("p", { class: "bestline" });
  readonly element = el("section", { class: "analysis", "aria-label": "Analysis" });
  /** What is shown: nothing, the bar and the best line, or the worth of all moves. */
  shows: "nothing" | "bar" | "all" = "nothing";
  private readonly bar = el("div", { class: "valuebar", role: "meter", "aria-label": "Value" });
  private readonly number = el("span");
  private seconds = "1";
  private searching: AbortController | null = null;
  private readonly table = el("table", { class: "worths" });
  private readonly graph = el("div", { class: "graph" });
  private readonly told = el("p", { class: "told" });

  constructor(
    private readonly session: Session,
    private readonly board: Board,
    private readonly moves: MoveList,
  ) {
    const time = choice(
      TIMES.map((seconds) => [String(seconds), `${seconds} s`] as const),
      this.seconds,
      (seconds) => {
        this.seconds = seconds;
        if (this.session.position) this.show(this.session.position);
      },
    );
    this.element.append(
      el(
        "div",
        { class: "row" },
        field("Look for", time),
        button("Annotate the game", () => tryTo(() => this.annotate())),
      ),
      this.told,
      this.graph,
      el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Moves by value" }, this.table),
    );
    this.bar.append(el("span"));
  }

  /** Looks at a position, if it is on. */
  show(position: Position): void {
    this.stop();
    this.value.hidden = this.line.hidden = this.shows === "nothing";
    if (this.shows === "nothing" || position.outcome || !position.legal.length || position.problem) {
      return this.clear(position);
    }
    const control = new AbortController();
    this.searching = control;
    this.name(position);
    const body = { ...this.session.shown, seconds: Number(this.seconds) };
    const each = (found: Found) => this.tell(found, position);
    follow<Found>("search", body, each, control.signal).catch((error: unknown) => {
      if (!isAborted(error)) this.told.textContent = (error as Error).message;
    });
  }

  stop(): void {
    this.searching?.abort();
    this.searching = null;
  }

  /** The bar between the names of who gains to the left and to the right. */
  private name({ players: [first, second] }: Position): void {
    fill(this.value, el("span", {}, first ?? ""), this.number, el("span", {}, second ?? ""), this.bar);
  }

  private clear({ outcome, players }: Position): void {
    fill(this.table);
    this.told.textContent = "";
    this.line.textContent = "";
    if (outcome) this.setBar(outcome.winner === null ? 0 : outcome.winner === players[0] ? 1 : -1, "");
  }

  private tell(found: Found, position: Position): void {
    const { value, line, depth, nodes } = found;
    const isFirst = position.mover === position.players[0];
    if (value) this.setBar(isFirst ? value.bar : -value.bar, `${value.text} for ${position.mover}`);
    this.line.textContent = line.length ? `Best line: ${line.slice(0, 8).join(" ")}` : "";
    const depths = depth === null ? "" : `depth ${depth}, `;
    this.told.textContent = `${depths}${nodes.toLocaleString("en")} positions`;
    if (!found.moves.length || this.shows !== "all") return;
    this.board.showWorths(found.moves);
    fill(this.table, el("caption", {}, "Moves, best first"), el("tbody", {}, ...this.rows(found)));
  }

  private rows({ moves }: Found): HTMLElement[] {
    return moves.slice(0, SHOWN).map(({ text, value }) => {
      const play = button(text, () => tryTo(() => this.session.play(text)), { class: "move" });
      return el("tr", {}, el("td", {}, play), el("td", { class: "worth" }, value.text), meter(value));
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
    const notes: Note[] = [];
    const { record, position } = this.session;
    if (!record.moves.length) return say("There are no moves yet");
    const control = new AbortController();
    const each = (note: Note) => {
      if (note.done) return;
      notes.push(note);
      this.remark(note);
      this.told.textContent = `${note.ply} of ${record.moves.length} moves looked at`;
      fill(this.graph, valueGraph(notes, position!.players[0]!));
      if (this.session.position) this.moves.show(this.session.position);
    };
    await follow<Note>("annotate", { ...record, nodes: NODES }, each, control.signal).catch(complain);
    this.told.textContent = summary(notes);
  }

  private remark(note: Note): void {
    const lost = note.before.bar - note.after.bar;
    const sign = note.turns ? "??" : lost > 0.4 ? "?" : lost > 0.2 ? "?!" : "";
    if (!sign) return;
    const title = `${note.before.text} before, ${note.after.text} after; ${note.best} was best`;
    this.moves.remark(note.ply, sign, title);
  }
}

function meter({ bar }: Value): HTMLElement {
  const made = el("span", { class: bar >= 0 ? "good" : "bad" });
  made.style.width = `${Math.max(2, Math.abs(bar) * 50)}%`;
  made.style.marginLeft = bar >= 0 ? "50%" : `${50 - Math.abs(bar) * 50}%`;
  return el("td", { class: "meter", "aria-hidden": "true" }, made);
}

function summary(notes: Note[]): string {
  const turned = notes.filter(({ turns }) => turns).length;
  const best = notes.filter(({ move, best: other }) => move === other).length;
  return `${notes.length} moves looked at: ${best} the best, ${turned} that threw a result away.`;
}

/** The values after each move, as the first player sees them. */
function valueGraph(notes: Note[], first: string): SVGElement {
  const made = shape("svg", { viewBox: "0 0 100 30", role: "img", preserveAspectRatio: "none" });
  made.setAttribute("aria-label", `Values after ${notes.length} moves, as ${first} sees them`);
  const points = notes.map(({ player, after }, at) => {
    const bar = player === first ? after.bar : -after.bar;
    return `${((at + 0.5) * 100) / notes.length},${15 - 14 * bar}`;
  });
  made.append(shape("path", { d: "M0 15H100", class: "axis" }));
  made.append(shape("polyline", { points: points.join(" "), class: "curve" }));
  return made;
}
