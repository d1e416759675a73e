// The board: the picture of a position, and an overlay with an element for each cell, which receives
// clicks, drags and keys.

import { el } from "./dom";
import { DragController } from "./drag";
import { cellArea, geometry, neighbour, spacing, targetMark, valueTag } from "./marks";
import { MoveChoices } from "./movechoices";
import { isNextPosition, Picture } from "./picture";
import { preferences } from "./preferences";
import { Premove } from "./premove";
import type { Cell, LegalMove, Position, Step, Value } from "./protocol";
import {
  dropInLine,
  lengthOf,
  movesWithPrefix,
  moveText,
  nextCells,
  nextCellsOf,
  pathOf,
  selectCell,
} from "./selection";
import { playSound } from "./sounds";
import { shape } from "./svg";
import { cellText } from "./views";
import { Zoom } from "./zoom";

const ARROW_DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const MAX_SCALE = 2.6; // pixels per unit of the picture
const MAX_TILES = 24; // moves that are offered as buttons while cells of a tile are selected

/** The effect of clicks on cells: select a move, select a premove, or none. */
export type InputMode = "moves" | "premoves" | "none";

export interface MoveValue {
  steps: Step[];
  value: Value;
  at_most: boolean;
}

interface BoardHandlers {
  /** Play the selected legal move. */
  onMove(move: string): void;
  /** Handle a selection of cells that no legal move has. */
  onIllegal(move: string): void;
  /** Announce a change of the selected cells. */
  onSelect(text: string): void;
}

export class Board {
  private readonly svg = shape("svg", { role: "group" }) as SVGSVGElement;
  readonly element = el("div", { class: "board" }, this.svg);
  readonly choices: MoveChoices;
  /** A handler that replaces the selection of moves. */
  onCell: ((cell: number) => void) | null = null;
  readonly zoom = new Zoom(this.element, this.svg);
  private readonly picture = new Picture();
  private readonly overlay = shape("g", {}) as SVGGElement;
  private readonly rotated = shape("g", {});
  private readonly premove = new Premove();
  private position: Position | null = null;
  private cellElements: SVGElement[] = [];
  private cells: Cell[] = [];
  private legal: LegalMove[] = [];
  private selected: number[] = [];
  private hintCells: number[] = [];
  private values: MoveValue[] = [];
  private focused = 0;
  /** The distance between two cells. */
  private unit = 1;
  private input: InputMode = "none";
  /** The last cell of a move that is being made; null if the position after it is shown. */
  private played: number | null = null;
  /** Cells that are selected while a move is being made. */
  private early: number[] = [];
  private isFlipped = false;

  constructor(private readonly handlers: BoardHandlers) {
    this.choices = new MoveChoices((text) => handlers.onMove(text), (cells) => this.preview(cells));
    this.rotated.append(this.picture.element, this.overlay);
    this.svg.append(this.rotated);
    this.overlay.addEventListener("click", (event) => this.onClick(event));
    this.overlay.addEventListener("keydown", (event) => this.onKeydown(event as KeyboardEvent));
    this.overlay.addEventListener("focusin", (event) => this.moveFocus(cellOf(event.target as Element)));
    new DragController(this.overlay, {
      cellOf,
      isDraggable: (cell) => this.isDraggable(cell),
      onStart: (cell) => this.startDrag(cell),
      onOver: (cell) => this.cellElements.forEach((place, at) => place.classList.toggle("over", at === cell)),
      onDrop: (cell) => cell !== null && cell !== this.selected.at(-1) && this.onCellSelected(cell),
    });
  }

  /** Show a position, with an input mode. */
  show(position: Position, input: InputMode): void {
    const { drawing } = position;
    const isOther = geometry(drawing.cells) !== geometry(this.cells);
    const before = this.position && isNextPosition(position, this.position) ? this.position : null;
    this.cells = drawing.cells;
    this.legal = position.legal;
    this.input = input;
    this.selected = [];
    this.hintCells = [];
    this.values = [];
    this.draw(position, before);
    if (isOther) this.createCellElements();
    if (input === "none" || (position !== this.position && !before)) this.premove.clear();
    this.position = position;
    this.updateCells();
    this.zoom.measure(this.unit, drawing.box);
    if (isOther || before) this.scrollToLastMove(position);
    if (input === "moves") this.playPremove();
    this.selectEarlyCells(before !== null);
  }

  /** Show the values of moves on their cells. */
  showValues(values: MoveValue[]): void {
    this.values = values;
    this.updateCells();
  }

  /** Mark the cells of a recommended move. */
  hint(steps: Step[]): void {
    this.hintCells = pathOf({ steps });
    this.updateCells();
  }

  /** Clear the selection. */
  clear(): void {
    this.selected = [];
    this.selectEarlyCells(false);
    this.premove.clear();
    this.updateCells();
  }

  /** Rotate the board by 180 degrees. */
  flip(isFlipped: boolean): void {
    if (isFlipped === this.isFlipped) return;
    this.isFlipped = isFlipped;
    if (this.position) this.draw(this.position, null);
  }

  /** Scroll an enlarged board to the last move, or to its centre. */
  private scrollToLastMove({ moves, drawing: { box, cells } }: Position): void {
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
    this.rotated.setAttribute("transform", this.isFlipped ? `rotate(180 ${middle})` : "");
    this.element.style.setProperty("--ratio", String(width / height));
    this.element.style.setProperty("--most", `${width * MAX_SCALE}px`);
    if (!before) return;
    const hasReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!hasReducedMotion) this.picture.animate(figures, position);
    const count = ({ drawing: { cells } }: Position) => cells.filter(({ piece }) => piece).length;
    playSound(position.outcome ? "end" : count(position) < count(before) ? "capture" : "move");
  }

  private createCellElements(): void {
    this.unit = spacing(this.cells);
    this.cellElements = this.cells.map((cell, at) => {
      const element = shape("g", { role: "button", tabindex: -1, "data-cell": at });
      element.append(cellArea(cell, this.unit * 0.47));
      return element;
    });
    this.overlay.replaceChildren(...this.cellElements);
    this.focused = Math.min(this.focused, Math.max(0, this.cellElements.length - 1));
    this.cellElements[this.focused]?.setAttribute("tabindex", "0");
  }

  /** Update the labels and marks of all cells. */
  private updateCells(): void {
    const next = this.input === "moves" ? nextCells(this.legal, this.selected) : new Set<number>();
    const values = this.bestValues();
    const decisive = new Set(this.position?.decisive);
    this.svg.classList.toggle("bare", !this.areHintsUseful(next));
    this.cellElements.forEach((element, cell) => {
      const { name, at } = this.cells[cell]!;
      const piece = cellText(this.cells[cell]!);
      const value = values.get(cell);
      const isSelected = this.selected.includes(cell);
      const isPlanned = this.premove.cells.includes(cell);
      const classes = {
        legal: next.has(cell) || (next.size > 0 && this.dropAt(cell) !== null),
        picked: isSelected,
        played: false,
        planned: isPlanned,
        hinted: this.hintCells.includes(cell),
        decisive: decisive.has(cell),
        grip: this.isDraggable(cell),
      };
      for (const [kind, isOn] of Object.entries(classes)) element.classList.toggle(kind, isOn);
      const label = [
        name,
        piece || "empty",
        next.has(cell) && "can be selected",
        isSelected && "selected",
        isPlanned && "planned",
        value && `value ${value.at_most ? "at most " : ""}${value.value.text}`,
      ];
      element.setAttribute("aria-label", label.filter(Boolean).join(", "));
      while (element.children.length > 1) element.lastChild!.remove(); // keep the click area
      if (value) element.append(valueTag(at, value.value, this.unit));
      else if (next.has(cell)) element.append(targetMark(at, Boolean(piece), this.unit));
    });
    for (const mark of this.overlay.querySelectorAll(".value-tag")) this.keepUpright(mark);
    this.choices.show(this.input === "moves" ? this.movesAsButtons() : []);
  }

  /** True if marks of legal targets are useful: they mark a minority of the cells. */
  private areHintsUseful(next: Set<number>): boolean {
    const { marks } = preferences();
    if (marks !== "auto") return marks === "always";
    if (this.selected.length) return true;
    const side = this.position?.sides[this.position.mover] ?? "";
    const ownCount = this.cells.filter(({ piece }) => piece.startsWith(`${side} `)).length;
    const isOfPieces = [...next].every((cell) => this.cells[cell]?.piece);
    return isOfPieces ? 3 * next.size <= ownCount : 3 * next.size <= this.cells.length;
  }

  private keepUpright(mark: Element): void {
    const cell = cellOf(mark);
    const [x, y] = this.cells[cell!]!.at;
    if (this.isFlipped) mark.setAttribute("transform", `rotate(180 ${x} ${y})`);
  }

  /** Return the value of the best move that continues with each cell. */
  private bestValues(): Map<number, MoveValue> {
    const values = new Map<number, MoveValue>();
    for (const value of movesWithPrefix(this.values, this.selected)) {
      for (const cell of nextCellsOf(value, this.selected)) {
        if (value.value.bar > (values.get(cell)?.value.bar ?? -2)) values.set(cell, value);
      }
    }
    return values;
  }

  /** Return the moves that need buttons: they share their cells, or have none. */
  private movesAsButtons(): LegalMove[] {
    if (!this.selected.length) return this.legal.filter((move) => !pathOf(move).length);
    const moves = movesWithPrefix(this.legal, this.selected);
    const isShort = moves.length <= MAX_TILES && moves.some(({ covers }) => covers);
    return isShort ? moves : moves.filter((move) => lengthOf(move) === this.selected.length);
  }

  /** Show the cells of a tile that can be played. */
  private preview(cells: number[]): void {
    this.cellElements.forEach((element, cell) => {
      element.classList.toggle("hinted", cells.includes(cell));
    });
  }

  private isDraggable(cell: number): boolean {
    if (this.onCell || this.input === "none" || !this.cells[cell]?.piece) return false;
    if (this.input === "premoves") return this.premove.length(this.legal) > 1;
    const continuations = movesWithPrefix(this.legal, [...this.selected, cell]);
    const restarted = this.selected.length ? movesWithPrefix(this.legal, [cell]) : [];
    const isSelected = this.selected.at(-1) === cell;
    const moves = [...continuations, ...restarted];
    return isSelected || moves.some((move) => !move.covers && pathOf(move).length > 1);
  }

  private startDrag(cell: number): SVGElement[] {
    if (this.selected.at(-1) !== cell && !this.premove.cells.includes(cell)) this.onCellSelected(cell);
    return this.picture.figuresAt(cell);
  }

  private onClick(event: Event): void {
    const cell = cellOf(event.target as Element);
    if (cell !== null) this.onCellSelected(cell);
  }

  private onCellSelected(cell: number): void {
    if (this.onCell) return this.onCell(cell);
    if (this.input === "premoves") return this.addPremove(cell);
    if (this.input === "none") return;
    if (this.played !== null) {
      if (cell !== this.played) this.early.push(cell); // not the second half of a double click
      return;
    }
    const result = selectCell(this.legal, this.selected, cell);
    switch (result.kind) {
      case "move":
        this.cellElements[cell]?.classList.add("played");
        return this.play(result.move.text, cell);
      case "illegal": {
        const drop = this.dropAt(cell);
        if (drop) return this.play(drop.text, cell);
        this.select([]);
        return this.handlers.onIllegal(moveText(this.cells, this.legal, result.selected));
      }
      case "cleared":
        return this.select([]);
      case "ambiguous":
        this.select(result.selected);
        this.choices.show(result.complete);
        return this.choices.focus();
      case "partial":
        return this.select(result.selected);
    }
  }

  private play(move: string, cell: number): void {
    this.played = cell;
    this.handlers.onMove(move);
  }

  /** Select the cells that were selected while a move was being made, if it has been made. */
  private selectEarlyCells(isSuccessor: boolean): void {
    const cells = isSuccessor ? this.early : [];
    this.early = [];
    this.played = null;
    queueMicrotask(() => cells.forEach((cell) => this.onCellSelected(cell)));
  }

  /** Return the placement in the line of a cell, in games in which pieces fall. */
  private dropAt(cell: number): LegalMove | null {
    const { drops = "", table = null } = this.position ?? {};
    return drops && table && !this.selected.length ? dropInLine(this.legal, table, drops, cell) : null;
  }

  private addPremove(cell: number): void {
    this.premove.add(cell, this.legal);
    this.updateCells();
    const names = this.premove.cells.map((one) => this.cells[one]!.name).join(" ");
    this.handlers.onSelect(names && `${names} planned`);
  }

  /** Play the premove if it is legal now. */
  private playPremove(): void {
    const move = this.premove.takeMove(this.legal);
    if (move) queueMicrotask(() => this.handlers.onMove(move.text));
    this.updateCells();
  }

  private select(cells: number[]): void {
    this.selected = cells;
    this.updateCells();
    const names = cells.map((cell) => this.cells[cell]!.name);
    const count = nextCells(this.legal, cells).size;
    this.handlers.onSelect(names.length ? `${names.join(" ")} selected; ${count} cells can follow` : "");
  }

  private onKeydown(event: KeyboardEvent): void {
    const cell = cellOf(event.target as Element);
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const [dx, dy] = ARROW_DIRECTIONS[event.key] ?? [0, 0];
    const direction: [number, number] = this.isFlipped ? [-dx, -dy] : [dx, dy];
    if (dx || dy) this.cellElements[neighbour(this.cells, cell, direction)]?.focus();
    else if (event.key === "Enter" || event.key === " ") this.onClick(event);
    else if (event.key === "Escape") this.cancelSelection();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private cancelSelection(): void {
    this.premove.clear();
    this.select([]);
  }

  /** Make a cell the only one in the tab order (roving tabindex). */
  private moveFocus(cell: number | null): void {
    if (cell === null) return;
    this.cellElements[this.focused]?.setAttribute("tabindex", "-1");
    this.cellElements[cell]?.setAttribute("tabindex", "0");
    this.focused = cell;
  }
}

function cellOf(element: Element | null): number | null {
  const owner = element?.closest("[data-cell]");
  return owner ? Number(owner.getAttribute("data-cell")) : null;
}
