// Pictures of positions, composed from the parts in an exported file.

import type { Contents, Counter, JoinedPieces, PictureParts, TrayItem } from "./contents";

/** A position in the terms of a picture. */
export interface PictureState {
  /** The cells with pieces, by plane. */
  pieces: number[][];
  /** The planes below the top piece, by cell and from the bottom; empty without stacks. */
  under: number[][];
  /** The numbers by counter of the picture and cell. */
  numbers: number[][];
  /** The values of registers by item of the tray. */
  registers: number[];
  /** The cells of the last move. */
  lastCells: number[];
}

type Point = [number, number];

/** Return the SVG text of a picture. */
export function picture({ drawing, planes }: Contents, state: PictureState): string {
  const { lastCells } = state;
  const occupants = new Map<number, number>();
  state.pieces.forEach((cells, at) => cells.forEach((cell) => occupants.set(cell, planes[at]!)));
  const board = new Board(drawing, occupants, state);
  const parts = [
    drawing.background,
    ...lastCells.filter((cell) => hasArea(drawing, cell)).map((cell) => areaMark(drawing, cell)),
    drawing.dots,
    ...board.piles(),
    ...drawing.tray.map((item, at) => pileFigure(drawing, item, state.registers[at]!)),
    ...board.figures(),
    ...drawing.tray.map((item, at) => trayFigure(item, state.registers[at]!)),
    ...board.links(),
    ...lastCells
      .filter((cell) => !hasArea(drawing, cell))
      .map((cell) => translated(drawing.cells[cell]!.at, drawing.last_point)),
    drawing.labels,
    ...board.labels(),
    ...drawing.tray.map((item, at) => trayText(drawing, item, state.registers[at]!)),
  ];
  return `<svg ${drawing.head}>${parts.join("")}</svg>`;
}

/** The pieces and numbers on a board, as SVG elements. */
class Board {
  constructor(
    private readonly parts: PictureParts,
    private readonly occupants: Map<number, number>,
    private readonly state: PictureState,
  ) {}

  *piles(): Iterable<string> {
    const { cells, piles } = this.parts;
    for (const numbers of this.numbersOf("seeds")) {
      for (const [cell, count] of numbers.entries()) {
        if (count > 0) yield translated(cells[cell]!.at, piles[Math.min(count, piles.length) - 1]!);
      }
    }
  }

  *figures(): Iterable<string> {
    const { forms, figures, joined, max_stacked, pips } = this.parts;
    const largePlanes = new Set(joined.filter(({ form }) => form === "large").map(({ plane }) => plane));
    const stacks = [...this.numbersOf("stack")];
    for (const [cell, plane] of this.occupants) {
      if (largePlanes.has(plane)) continue;
      if (this.state.under.length) {
        yield* this.stackFigures(cell, plane);
        continue;
      }
      const element = figures[forms[cell]!]![plane]!;
      const height = stacks.length ? Math.max(1, Math.min(max_stacked, stacks[0]![cell]!)) : 1;
      for (let level = 0; level < height; level += 1) yield translated(this.point(cell, level), element);
      for (const numbers of this.numbersOf("pips")) {
        const mark = pips[plane]?.[numbers[cell]! - 1];
        if (mark) yield translated(this.point(cell, 0), mark);
      }
    }
    for (const one of joined) if (largePlanes.has(one.plane)) yield* this.largeFigures(one);
  }

  *links(): Iterable<string> {
    for (const one of this.parts.joined) {
      if (one.form === "large") continue;
      const joints = one.joints.filter(([a, b]) => this.isOccupied(one, a) && this.isOccupied(one, b));
      for (const [a, b, link] of one.form === "group" ? joints : disjointPairs(joints)) {
        yield translated(center([this.point(a, 0), this.point(b, 0)]), one.links[link]!);
      }
    }
  }

  *labels(): Iterable<string> {
    const { cells, counters, seed_label, max_stacked, number_labels, pips } = this.parts;
    for (const cell of cells.keys()) {
      const height = this.height(cell);
      if (height > max_stacked) {
        const numberLabel = number_labels[this.occupants.get(cell)!]!;
        yield translated(this.point(cell, (max_stacked - 1) / 2), fillLabel(numberLabel, height));
      }
      const plane = this.occupants.get(cell) ?? number_labels.length - 1;
      const plain: number[] = [];
      for (const [at, { form }] of counters.entries()) {
        const value = this.state.numbers[at]![cell]!;
        const isPlain = form === "text" || (form === "pips" && value > (pips[plane]?.length ?? 0));
        if (value && isPlain) plain.push(value);
        else if (form === "seeds" && value) yield translated(this.point(cell, 0), fillLabel(seed_label, value));
        else if (form === "stack" && value > max_stacked) {
          yield translated(this.point(cell, max_stacked - 1), fillLabel(number_labels[plane]!, value));
        }
      }
      if (plain.length) yield translated(this.point(cell, 0), fillLabel(number_labels[plane]!, plain.join(" ")));
    }
  }

  /** Yield the upper pieces of a stack from bottom to top, centred on the point of the cell. */
  private *stackFigures(cell: number, plane: number): Iterable<string> {
    const { forms, figures, max_stacked } = this.parts;
    const stack = [...this.state.under[cell]!, plane].slice(-max_stacked);
    for (const [level, piece] of stack.entries()) {
      const point = this.point(cell, level - (stack.length - 1) / 2);
      yield translated(point, figures[forms[cell]!]![piece]!);
    }
  }

  /** Return the number of pieces of the stack on a cell; 0 without stacks or pieces. */
  private height(cell: number): number {
    return this.state.under.length && this.occupants.has(cell) ? this.state.under[cell]!.length + 1 : 0;
  }

  /** Yield a figure for each group, as large as the group. */
  private *largeFigures({ plane, joints, unit }: JoinedPieces): Iterable<string> {
    const own = [...this.occupants].filter(([, one]) => one === plane).map(([cell]) => cell);
    for (const cells of groups(own, joints)) {
      const points = cells.map((cell) => this.point(cell, 0));
      const [x, y] = center(points);
      const spans = [0, 1].map((i) => {
        const along = points.map((point) => point[i]!);
        return Math.max(...along) - Math.min(...along);
      });
      const element = this.parts.figures[this.parts.forms[cells[0]!]!]![plane]!;
      const scale = Math.min(...spans) / unit + 1;
      yield `<g transform="translate(${x} ${y}) scale(${scale})">${element}</g>`;
    }
  }

  private *numbersOf(form: Counter["form"]): Iterable<number[]> {
    for (const [at, counter] of this.parts.counters.entries()) {
      if (counter.form === form) yield this.state.numbers[at]!;
    }
  }

  private isOccupied({ plane }: JoinedPieces, cell: number): boolean {
    return this.occupants.get(cell) === plane;
  }

  /** Return the point of a piece of a stack on a cell. */
  private point(cell: number, level: number): Point {
    const { cells, forms, stack_steps: steps } = this.parts;
    const [[x, y], [dx, dy]] = [cells[cell]!.at, steps[forms[cell]!]!];
    return [round(x + level * dx), round(y + level * dy)];
  }
}

/** Round a length as the Python package does. */
function round(length: number): number {
  return Math.round(length * 10) / 10;
}

type Joint = JoinedPieces["joints"][number];

/** Return disjoint pairs; a cell with a single free neighbour comes first, as in `drawing.joining`. */
export function disjointPairs(joints: Joint[]): Joint[] {
  const pairs: Joint[] = [];
  for (let rest = joints; rest.length; ) {
    const counts = new Map<number, number>();
    for (const cell of rest.flatMap(([a, b]) => [a, b])) {
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    const free = ([a, b]: Joint) => Math.min(counts.get(a)!, counts.get(b)!);
    const best = rest.reduce((one, other) => (free(other) < free(one) ? other : one));
    pairs.push(best);
    rest = rest.filter(([a, b]) => ![a, b].some((cell) => cell === best[0] || cell === best[1]));
  }
  return pairs;
}

/** Return the connected groups of some cells. */
function groups(cells: number[], joints: Joint[]): number[][] {
  const group = new Map(cells.map((cell) => [cell, [cell]]));
  for (const [a, b] of joints) {
    const [one, other] = [group.get(a), group.get(b)];
    if (!one || !other || one === other) continue;
    const union = [...one, ...other];
    for (const cell of union) group.set(cell, union);
  }
  return [...new Set(group.values())].map((one) => one.sort((a, b) => a - b));
}

/** Return the centre of the smallest rectangle around some points. */
function center(points: Point[]): Point {
  const [x, y] = [0, 1].map((i) => {
    const along = points.map((point) => point[i]!);
    return (Math.max(...along) + Math.min(...along)) / 2;
  });
  return [x!, y!];
}

function trayFigure({ at, figures }: TrayItem, value: number): string {
  return translated(at, figures[value] ?? "");
}

/** Return the seeds of a store; empty for other items. */
function pileFigure({ piles }: PictureParts, { at, form }: TrayItem, value: number): string {
  const element = piles[Math.min(value, piles.length) - 1];
  return form === "seeds" && element ? translated(at, element) : "";
}

function trayText({ seed_label }: PictureParts, { at, form, names, text }: TrayItem, value: number): string {
  if (form === "seeds") return value ? translated(at, fillLabel(seed_label, value)) : "";
  const shown = names.length ? (names[value] ?? "") : text.length ? value : "";
  return shown === "" ? "" : translated(at, fillLabel(text, shown));
}

function fillLabel([before, after]: string[], text: string | number): string {
  return `${before}${text}${after}`;
}

function hasArea({ last_area, cells }: PictureParts, cell: number): boolean {
  return Boolean(last_area && cells[cell]!.outline.length);
}

function areaMark({ last_area, cells }: PictureParts, cell: number): string {
  const outline = cells[cell]!.outline.map((point) => point.join(" "));
  return `<path d="M${outline.join("L")}z"${last_area}/>`;
}

function translated([x, y]: Point, element: string): string {
  return element && `<g transform="translate(${x} ${y})">${element}</g>`;
}
