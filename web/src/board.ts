// The board: the server's picture, and above it a place for each cell that can be chosen by hand
// or by keys.

import { choose, fitting, nextCells, pathOf, written } from "./choosing";
import { button, el, fill } from "./dom";
import type { Cell, Legal, Position, Step, Value } from "./protocol";
import { parsePicture, shape } from "./svg";
import { standingOn } from "./views";

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const USUAL = 40; // between two cells of a picture
const LARGEST = 2.6; // pixels for a unit of the picture

export interface Worth {
  steps: Step[];
  value: Value;
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
  readonly element = el("div", { class: "board" });
  readonly choices = el("div", { class: "choices", role: "group", "aria-label": "Moves" });
  private svg = shape("svg", { role: "group" });
  private readonly picture = shape("g", { "aria-hidden": "true" });
  private readonly overlay = shape("g", {});
  private places: SVGElement[] = [];
  private cells: Cell[] = [];
  private legal: Legal[] = [];
  private picked: number[] = [];
  private worths: Worth[] = [];
  private focused = 0;
  private gripped: number | null = null;
  private unit = USUAL; // between two cells
  private canPlay = false;

  constructor(private readonly acts: Acts) {
    this.svg.append(this.picture, this.overlay);
    this.element.append(this.svg);
    this.overlay.addEventListener("click", (event) => this.clicked(event));
    this.overlay.addEventListener("pointerdown", (event) => this.grip(event as PointerEvent));
    this.overlay.addEventListener("pointerup", (event) => this.release(event));
    this.overlay.addEventListener("keydown", (event) => this.pressed(event as KeyboardEvent));
    this.overlay.addEventListener("focusin", (event) => this.rove(this.cellOf(event)));
  }

  /** Shows a position; moves can be chosen on it or not. */
  show(position: Position, canPlay: boolean): void {
    const { drawing } = position;
    const isOther = geometry(drawing.cells) !== geometry(this.cells);
    this.cells = drawing.cells;
    this.legal = position.legal;
    this.canPlay = canPlay;
    this.picked = [];
    this.worths = [];
    this.draw(position);
    if (isOther) this.makePlaces();
    this.mark();
  }

  /** Shows what moves are worth at their cells. */
  showWorths(worths: Worth[]): void {
    this.worths = worths;
    this.mark();
  }

  private draw({ drawing, title, mover }: Position): void {
    const parsed = parsePicture(drawing.svg);
    const parts = [...(parsed?.childNodes ?? [])];
    const isSaid = (node: ChildNode) => ["title", "desc"].includes(node.nodeName);
    this.picture.replaceChildren(...parts.filter((node) => !isSaid(node)));
    for (const { name, value } of parsed?.attributes ?? []) {
      if (!["role", "width", "height"].includes(name)) this.svg.setAttribute(name, value);
    }
    this.svg.setAttribute("aria-label", `Board of ${title}, ${mover} to move`);
    const [, , width, height] = drawing.box;
    this.element.style.setProperty("--ratio", String(width / height));
    this.element.style.setProperty("--most", `${width * LARGEST}px`);
  }

  private makePlaces(): void {
    this.unit = nearest(this.cells);
    const radius = this.unit * 0.47;
    this.places = this.cells.map(({ at, outline }, cell) => {
      const made = shape("g", { role: "button", tabindex: -1, "data-cell": cell });
      made.append(area(at, outline, radius));
      return made;
    });
    this.overlay.replaceChildren(...this.places);
    this.focused = Math.min(this.focused, Math.max(0, this.places.length - 1));
    this.places[this.focused]?.setAttribute("tabindex", "0");
  }

  /** Brings names and marks of all cells up to date. */
  private mark(): void {
    const next = this.canPlay ? nextCells(this.legal, this.picked) : new Set<number>();
    const worths = this.best();
    this.svg.classList.toggle("many", next.size > this.cells.length / 3);
    this.places.forEach((place, cell) => {
      const { name, at } = this.cells[cell]!;
      const standing = standingOn(this.cells[cell]!);
      const worth = worths.get(cell);
      const isPicked = this.picked.includes(cell);
      place.classList.toggle("legal", next.has(cell));
      place.classList.toggle("picked", isPicked);
      place.classList.remove("played");
      const said = [name, standing || "empty", next.has(cell) && "can be chosen", isPicked && "chosen"];
      place.setAttribute(
        "aria-label",
        [...said, worth && `worth ${worth.text}`].filter(Boolean).join(", "),
      );
      place.replaceChildren(place.firstChild!);
      if (worth) place.append(...label(at, worth, this.unit));
      else if (next.has(cell)) place.append(this.hint(at, standing));
    });
    this.offer(this.canPlay ? this.wordy() : []);
  }

  private hint([cx, cy]: [number, number], standing: string): SVGElement {
    const r = this.unit * (standing ? 0.43 : 0.16);
    return shape("circle", { cx, cy, r, class: standing ? "ring" : "dot" });
  }

  /** What the best move is worth that goes on with a cell. */
  private best(): Map<number, Value> {
    const found = new Map<number, Value>();
    for (const { steps, value } of fitting(this.worths, this.picked)) {
      const cell = pathOf({ steps })[this.picked.length];
      if (cell !== undefined && value.bar >= (found.get(cell)?.bar ?? -2)) found.set(cell, value);
    }
    return found;
  }

  /** The moves that cells do not tell apart, or that have none. */
  private wordy(): Legal[] {
    if (!this.picked.length) return this.legal.filter((move) => !pathOf(move).length);
    return fitting(this.legal, this.picked).filter(
      (move) => pathOf(move).length === this.picked.length,
    );
  }

  private offer(moves: Legal[]): void {
    fill(
      this.choices,
      ...moves.map(({ text }) => button(text, () => this.acts.play(text), { class: "choice" })),
    );
  }

  /** A piece that is dragged with the mouse is chosen where it stands, then where it is let go. */
  private grip(event: PointerEvent): void {
    this.gripped = event.pointerType === "mouse" ? this.cellOf(event) : null;
  }

  private release(event: Event): void {
    const [from, to] = [this.gripped, this.cellOf(event)];
    this.gripped = null;
    if (from === null || to === null || from === to) return;
    if (!this.picked.includes(from)) this.choose(from);
    if (this.picked.length) this.choose(to);
  }

  private clicked(event: Event): void {
    const cell = this.cellOf(event);
    if (cell !== null) this.choose(cell);
  }

  private choose(cell: number): void {
    if (!this.canPlay) return;
    const choice = choose(this.legal, this.picked, cell);
    switch (choice.kind) {
      case "played":
        this.places[cell]?.classList.add("played");
        return this.acts.play(choice.move.text);
      case "illegal":
        this.pick([]);
        return this.acts.refuse(written(this.cells, this.legal, choice.picked));
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

  private pick(cells: number[]): void {
    this.picked = cells;
    this.mark();
    const names = cells.map((cell) => this.cells[cell]!.name);
    const further = nextCells(this.legal, cells).size;
    this.acts.picked(names.length ? `${names.join(" ")} chosen; ${further} cells may follow` : "");
  }

  private pressed(event: KeyboardEvent): void {
    const cell = this.cellOf(event);
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = ARROWS[event.key];
    if (direction) this.places[neighbour(this.cells, cell, direction)]?.focus();
    else if (event.key === "Enter" || event.key === " ") this.clicked(event);
    else if (event.key === "Escape") this.pick([]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Lets one cell alone be reached by the tab key. */
  private rove(cell: number | null): void {
    if (cell === null) return;
    this.places[this.focused]?.setAttribute("tabindex", "-1");
    this.places[cell]?.setAttribute("tabindex", "0");
    this.focused = cell;
  }

  private cellOf(event: Event): number | null {
    const place = (event.target as Element).closest("[data-cell]");
    return place ? Number(place.getAttribute("data-cell")) : null;
  }
}

function area([cx, cy]: [number, number], outline: [number, number][], r: number): SVGElement {
  if (!outline.length) return shape("circle", { cx, cy, r, class: "area" });
  return shape("path", { d: `M${outline.map((point) => point.join(" ")).join("L")}z`, class: "area" });
}

/** A value on a disc, greener the better it is. */
function label([x, y]: [number, number], { text, bar }: Value, unit: number): SVGElement[] {
  const size = unit * Math.min(0.34, 1.3 / Math.max(1, text.length));
  const sort = bar > 0.05 ? "good" : bar < -0.05 ? "bad" : "even";
  const disc = shape("circle", { cx: x, cy: y, r: unit * 0.42, class: `worth ${sort}` });
  disc.setAttribute("fill-opacity", String(0.35 + 0.6 * Math.min(1, Math.abs(bar))));
  const written = shape("text", { x, y: y + size * 0.35, "font-size": size, class: "worth-text" });
  written.append(text);
  return [disc, written];
}

/** A text that two boards share if their cells lie alike. */
function geometry(cells: Cell[]): string {
  return JSON.stringify(cells.map(({ name, at }) => [name, at]));
}

/** The least distance between two cells that follow one another. */
function nearest(cells: Cell[]): number {
  const found = cells.slice(1).map(({ at: [x, y] }, before) => {
    const [u, v] = cells[before]!.at;
    return Math.hypot(x - u, y - v);
  });
  return Math.min(USUAL, ...found);
}

/** The cell that lies next in a direction, or the same one at the edge. */
export function neighbour(cells: Cell[], from: number, [dx, dy]: [number, number]): number {
  const here = cells[from]!.at;
  let [found, least] = [from, Infinity];
  cells.forEach(({ at }, cell) => {
    const [x, y] = [at[0] - here[0], at[1] - here[1]];
    const along = x * dx + y * dy;
    const across = Math.abs(x * dy) + Math.abs(y * dx);
    const cost = along + 2 * across;
    if (along > 1e-6 && across <= along * 1.5 && cost < least) [found, least] = [cell, cost];
  });
  return found;
}
