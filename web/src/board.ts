// The board: the server's picture, and above it a place for each cell that can be chosen by hand
// or by keys.

import { choose, fitting, inLine, nextCells, pathOf, written } from "./choosing";
import { button, el, fill } from "./dom";
import { Dragging } from "./dragging";
import { area, geometry, hint, neighbour, spacing, tag } from "./marks";
import { follows, Picture } from "./picture";
import { preferences } from "./preferences";
import { Premove } from "./premove";
import type { Cell, LegalMove, Position, Step, Value } from "./protocol";
import { playSound } from "./sounds";
import { shape } from "./svg";
import { cellText } from "./views";
import { Zoom } from "./zoom";

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const LARGEST = 2.6; // pixels for a unit of the picture

/** Whether cells choose a move, plan the next move of a person, or do nothing. */
export type Input = "moves" | "premoves" | "none";

export interface Worth {
  steps: Step[];
  value: Value;
  at_most: boolean;
}

interface Acts {
  /** A legal move was chosen. */
  play(move: string): void;
  /** Cells were chosen that no legal move begins with. */
  refuse(move: string): void;
  /** The choice of a move has begun, gone on or been dropped. */
  picked(said: string): void;
}

export class Board {
  private readonly svg = shape("svg", { role: "group" }) as SVGSVGElement;
  readonly element = el("div", { class: "board" }, this.svg);
  readonly choices = el("div", { class: "choices", role: "group", "aria-label": "Moves" });
  /** What a chosen cell does instead of choosing a move. */
  paint: ((cell: number) => void) | null = null;
  readonly zoom = new Zoom(this.element, this.svg);
  private readonly picture = new Picture();
  private readonly overlay = shape("g", {}) as SVGGElement;
  private readonly turned = shape("g", {});
  private readonly premove = new Premove();
  private shown: Position | null = null;
  private places: SVGElement[] = [];
  private cells: Cell[] = [];
  private legal: LegalMove[] = [];
  private picked: number[] = [];
  private hinted: number[] = [];
  private worths: Worth[] = [];
  private focused = 0;
  private unit = 1; // between two cells
  private input: Input = "none";
  private isFlipped = false;

  constructor(private readonly acts: Acts) {
    this.turned.append(this.picture.element, this.overlay);
    this.svg.append(this.turned);
    this.overlay.addEventListener("click", (event) => this.clicked(event));
    this.overlay.addEventListener("keydown", (event) => this.pressed(event as KeyboardEvent));
    this.overlay.addEventListener("focusin", (event) => this.rove(cellOf(event.target as Element)));
    new Dragging(this.overlay, {
      cellOf,
      canGrip: (cell) => this.canGrip(cell),
      grip: (cell) => this.grip(cell),
      over: (cell) => this.places.forEach((place, at) => place.classList.toggle("over", at === cell)),
      drop: (cell) => cell !== null && cell !== this.picked.at(-1) && this.choose(cell),
    });
  }

  /** Shows a position; moves can be chosen on it, planned, or not. */
  show(position: Position, input: Input): void {
    const { drawing } = position;
    const isOther = geometry(drawing.cells) !== geometry(this.cells);
    const before = this.shown && follows(position, this.shown) ? this.shown : null;
    this.cells = drawing.cells;
    this.legal = position.legal;
    this.input = input;
    this.picked = [];
    this.hinted = [];
    this.worths = [];
    this.draw(position, before);
    if (isOther) this.makePlaces();
    if (input === "none" || (position !== this.shown && !before)) this.premove.drop();
    this.shown = position;
    this.mark();
    this.zoom.measure(this.unit, drawing.box);
    if (isOther || before) this.lookAtLast(position);
    if (input === "moves") this.playPlanned();
  }

  /** Shows what moves are worth at their cells. */
  showWorths(worths: Worth[]): void {
    this.worths = worths;
    this.mark();
  }

  /** Marks the cells of a recommended move. */
  hint(steps: Step[]): void {
    this.hinted = pathOf({ steps });
    this.mark();
  }

  /** Forgets the cells that are chosen. */
  clear(): void {
    this.picked = [];
    this.premove.drop();
    this.mark();
  }

  /** Turns the board by half a circle. */
  flip(isFlipped: boolean): void {
    if (isFlipped === this.isFlipped) return;
    this.isFlipped = isFlipped;
    if (this.shown) this.draw(this.shown, null);
  }

  /** Scrolls an enlarged board to the last move, or to its middle. */
  private lookAtLast({ moves, drawing: { box, cells } }: Position): void {
    const [left, top, width, height] = box;
    const cell = moves.at(-1)?.steps.at(-1)?.findLast((one) => one >= 0);
    const [x, y] = cells[cell ?? -1]?.at ?? [left + width / 2, top + height / 2];
    const [across, down] = [(x - left) / width, (y - top) / height];
    this.zoom.scrollTo(...(this.isFlipped ? ([1 - across, 1 - down] as const) : ([across, down] as const)));
  }

  private draw(position: Position, before: Position | null): void {
    const { drawing, title, mover } = position;
    const figures = this.picture.byCell();
    for (const { name, value } of this.picture.draw(position, this.isFlipped)) {
      if (!["role", "width", "height"].includes(name)) this.svg.setAttribute(name, value);
    }
    this.svg.setAttribute("aria-label", `Board of ${title}, ${mover} to move`);
    const [left, top, width, height] = drawing.box;
    const middle = `${left + width / 2} ${top + height / 2}`;
    this.turned.setAttribute("transform", this.isFlipped ? `rotate(180 ${middle})` : "");
    this.element.style.setProperty("--ratio", String(width / height));
    this.element.style.setProperty("--most", `${width * LARGEST}px`);
    if (!before) return;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!isStill) this.picture.animate(figures, position);
    const count = ({ drawing: { cells } }: Position) => cells.filter(({ piece }) => piece).length;
    playSound(position.outcome ? "end" : count(position) < count(before) ? "capture" : "move");
  }

  private makePlaces(): void {
    this.unit = spacing(this.cells);
    this.places = this.cells.map((cell, at) => {
      const made = shape("g", { role: "button", tabindex: -1, "data-cell": at });
      made.append(area(cell, this.unit * 0.47));
      return made;
    });
    this.overlay.replaceChildren(...this.places);
    this.focused = Math.min(this.focused, Math.max(0, this.places.length - 1));
    this.places[this.focused]?.setAttribute("tabindex", "0");
  }

  /** Brings names and marks of all cells up to date. */
  private mark(): void {
    const next = this.input === "moves" ? nextCells(this.legal, this.picked) : new Set<number>();
    const worths = this.best();
    const decisive = new Set(this.shown?.decisive);
    this.svg.classList.toggle("bare", !this.areHintsUseful(next));
    this.places.forEach((place, cell) => {
      const { name, at } = this.cells[cell]!;
      const standing = cellText(this.cells[cell]!);
      const worth = worths.get(cell);
      const isPicked = this.picked.includes(cell);
      const isPlanned = this.premove.cells.includes(cell);
      const kinds = {
        legal: next.has(cell) || (next.size > 0 && this.dropAt(cell) !== null),
        picked: isPicked,
        played: false,
        planned: isPlanned,
        hinted: this.hinted.includes(cell),
        decisive: decisive.has(cell),
        grip: this.canGrip(cell),
      };
      for (const [kind, isOn] of Object.entries(kinds)) place.classList.toggle(kind, isOn);
      const said = [
        name,
        standing || "empty",
        next.has(cell) && "can be chosen",
        isPicked && "chosen",
        isPlanned && "planned",
        worth && `worth ${worth.at_most ? "at most " : ""}${worth.value.text}`,
      ];
      place.setAttribute("aria-label", said.filter(Boolean).join(", "));
      while (place.children.length > 1) place.lastChild!.remove(); // a touched area stays
      if (worth) place.append(tag(at, worth.value, this.unit));
      else if (next.has(cell)) place.append(hint(at, Boolean(standing), this.unit));
    });
    for (const mark of this.overlay.querySelectorAll(".worth")) this.keepUpright(mark);
    this.offer(this.input === "moves" ? this.wordy() : []);
  }

  /** True if dots tell more than the empty cells of the board do. */
  private areHintsUseful(next: Set<number>): boolean {
    const { marks } = preferences();
    if (marks !== "auto") return marks === "always";
    if (this.picked.length) return true;
    const side = this.shown?.sides[this.shown.mover] ?? "";
    const own = this.cells.filter(({ piece }) => piece.startsWith(`${side} `)).length;
    const isOfPieces = [...next].every((cell) => this.cells[cell]?.piece);
    return isOfPieces ? 3 * next.size <= own : 3 * next.size <= this.cells.length;
  }

  private keepUpright(mark: Element): void {
    const cell = cellOf(mark);
    const [x, y] = this.cells[cell!]!.at;
    if (this.isFlipped) mark.setAttribute("transform", `rotate(180 ${x} ${y})`);
  }

  /** What the best move is worth that goes on with a cell. */
  private best(): Map<number, Worth> {
    const found = new Map<number, Worth>();
    for (const worth of fitting(this.worths, this.picked)) {
      const cell = pathOf(worth)[this.picked.length];
      const known = cell === undefined ? undefined : found.get(cell);
      if (cell !== undefined && worth.value.bar > (known?.value.bar ?? -2)) found.set(cell, worth);
    }
    return found;
  }

  /** The moves that cells do not tell apart, or that have none. */
  private wordy(): LegalMove[] {
    if (!this.picked.length) return this.legal.filter((move) => !pathOf(move).length);
    return fitting(this.legal, this.picked).filter(
      (move) => pathOf(move).length === this.picked.length,
    );
  }

  private offer(moves: LegalMove[]): void {
    fill(
      this.choices,
      ...moves.map(({ text }) => button(text, () => this.acts.play(text), { class: "choice" })),
    );
  }

  private canGrip(cell: number): boolean {
    if (this.paint || this.input === "none" || !this.cells[cell]?.piece) return false;
    if (this.input === "premoves") return this.premove.reach(this.legal) > 1;
    const starts = fitting(this.legal, [...this.picked, cell]);
    const anew = this.picked.length ? fitting(this.legal, [cell]) : [];
    const isPicked = this.picked.at(-1) === cell;
    return isPicked || [...starts, ...anew].some((move) => pathOf(move).length > 1);
  }

  private grip(cell: number): SVGElement[] {
    if (this.picked.at(-1) !== cell && !this.premove.cells.includes(cell)) this.choose(cell);
    return this.picture.figuresAt(cell);
  }

  private clicked(event: Event): void {
    const cell = cellOf(event.target as Element);
    if (cell !== null) this.choose(cell);
  }

  private choose(cell: number): void {
    if (this.paint) return this.paint(cell);
    if (this.input === "premoves") return this.plan(cell);
    if (this.input === "none") return;
    const choice = choose(this.legal, this.picked, cell);
    switch (choice.kind) {
      case "played":
        this.places[cell]?.classList.add("played");
        return this.acts.play(choice.move.text);
      case "illegal": {
        const dropped = this.dropAt(cell);
        if (dropped) return this.acts.play(dropped.text);
        this.pick([]);
        return this.acts.refuse(written(this.cells, this.legal, choice.picked));
      }
      case "dropped":
        return this.pick([]);
      case "several":
        this.pick(choice.picked);
        this.offer(choice.ready);
        return this.choices.querySelector("button")?.focus();
      case "picked":
        return this.pick(choice.picked);
    }
  }

  /** The placement that the line of a cell determines, where pieces fall. */
  private dropAt(cell: number): LegalMove | null {
    const { drops = "", table = null } = this.shown ?? {};
    return drops && table && !this.picked.length ? inLine(this.legal, table, drops, cell) : null;
  }

  private plan(cell: number): void {
    this.premove.add(cell, this.legal);
    this.mark();
    const names = this.premove.cells.map((one) => this.cells[one]!.name).join(" ");
    this.acts.picked(names && `${names} planned`);
  }

  /** Plays the planned move if it is legal now. */
  private playPlanned(): void {
    const move = this.premove.take(this.legal);
    if (move) queueMicrotask(() => this.acts.play(move.text));
    this.mark();
  }

  private pick(cells: number[]): void {
    this.picked = cells;
    this.mark();
    const names = cells.map((cell) => this.cells[cell]!.name);
    const further = nextCells(this.legal, cells).size;
    this.acts.picked(names.length ? `${names.join(" ")} chosen; ${further} cells may follow` : "");
  }

  private pressed(event: KeyboardEvent): void {
    const cell = cellOf(event.target as Element);
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const [dx, dy] = ARROWS[event.key] ?? [0, 0];
    const direction: [number, number] = this.isFlipped ? [-dx, -dy] : [dx, dy];
    if (dx || dy) this.places[neighbour(this.cells, cell, direction)]?.focus();
    else if (event.key === "Enter" || event.key === " ") this.clicked(event);
    else if (event.key === "Escape") this.abandon();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private abandon(): void {
    this.premove.drop();
    this.pick([]);
  }

  /** Lets one cell alone be reached by the tab key. */
  private rove(cell: number | null): void {
    if (cell === null) return;
    this.places[this.focused]?.setAttribute("tabindex", "-1");
    this.places[cell]?.setAttribute("tabindex", "0");
    this.focused = cell;
  }
}

function cellOf(element: Element | null): number | null {
  const place = element?.closest("[data-cell]");
  return place ? Number(place.getAttribute("data-cell")) : null;
}
