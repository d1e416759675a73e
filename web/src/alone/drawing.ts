// Pictures of positions, put together from the parts that the file brings along.

import type { Contents, Counter, Joined, Parts, TrayItem } from "./contents";

export interface Shown {
  /** By plane the cells with its pieces. */
  pieces: number[][];
  /** By cell the planes of the pieces below the upper one, from the bottom; none without stacks. */
  under: number[][];
  /** By counter of the picture, by cell, the numbers. */
  numbers: number[][];
  /** By item of the tray the value of its register. */
  registers: number[];
  /** The cells of the last move. */
  last: number[];
}

type Point = [number, number];

/** The element of a picture, as text. */
export function picture({ drawing, kept }: Contents, shown: Shown): string {
  const { last } = shown;
  const standing = new Map<number, number>();
  shown.pieces.forEach((cells, at) => cells.forEach((cell) => standing.set(cell, kept[at]!)));
  const board = new Board(drawing, standing, shown);
  const parts = [
    drawing.ground,
    ...last.filter((cell) => hasArea(drawing, cell)).map((cell) => area(drawing, cell)),
    drawing.dots,
    ...board.piles(),
    ...drawing.tray.map((item, at) => store(drawing, item, shown.registers[at]!)),
    ...board.figures(),
    ...drawing.tray.map((item, at) => trayFigure(item, shown.registers[at]!)),
    ...board.links(),
    ...last
      .filter((cell) => !hasArea(drawing, cell))
      .map((cell) => there(drawing.cells[cell]!.at, drawing.point)),
    drawing.labels,
    ...board.texts(),
    ...drawing.tray.map((item, at) => trayText(drawing, item, shown.registers[at]!)),
  ];
  return `<svg ${drawing.head}>${parts.join("")}</svg>`;
}

/** What stands on the cells of a board. */
class Board {
  constructor(
    private readonly parts: Parts,
    private readonly standing: Map<number, number>,
    private readonly shown: Shown,
  ) {}

  *piles(): Iterable<string> {
    const { cells, piles } = this.parts;
    for (const numbers of this.numbersOf("seeds")) {
      for (const [cell, count] of numbers.entries()) {
        if (count > 0) yield there(cells[cell]!.at, piles[Math.min(count, piles.length) - 1]!);
      }
    }
  }

  *figures(): Iterable<string> {
    const { forms, figures, joined, most, pips } = this.parts;
    const large = new Set(joined.filter(({ form }) => form === "large").map(({ plane }) => plane));
    const stacks = [...this.numbersOf("stack")];
    for (const [cell, plane] of this.standing) {
      if (large.has(plane)) continue;
      if (this.shown.under.length) {
        yield* this.column(cell, plane);
        continue;
      }
      const element = figures[forms[cell]!]![plane]!;
      const height = stacks.length ? Math.max(1, Math.min(most, stacks[0]![cell]!)) : 1;
      for (let level = 0; level < height; level += 1) yield there(this.place(cell, level), element);
      for (const numbers of this.numbersOf("pips")) {
        const mark = pips[plane]?.[numbers[cell]! - 1];
        if (mark) yield there(this.place(cell, 0), mark);
      }
    }
    for (const one of joined) if (large.has(one.plane)) yield* this.large(one);
  }

  *links(): Iterable<string> {
    for (const one of this.parts.joined) {
      if (one.form === "large") continue;
      const both = one.joints.filter(([a, b]) => [a, b].every((cell) => this.has(one, cell)));
      for (const [a, b, link] of one.form === "group" ? both : pairs(both)) {
        yield there(middle([this.place(a, 0), this.place(b, 0)]), one.links[link]!);
      }
    }
  }

  *texts(): Iterable<string> {
    const { cells, counters, counted, most, numbers: labels, pips } = this.parts;
    for (const cell of cells.keys()) {
      const height = this.height(cell);
      if (height > most) {
        const label = labels[this.standing.get(cell)!]!;
        yield there(this.place(cell, (most - 1) / 2), filled(label, height));
      }
      const plane = this.standing.get(cell) ?? labels.length - 1;
      const plain: number[] = [];
      for (const [at, { form }] of counters.entries()) {
        const value = this.shown.numbers[at]![cell]!;
        const isPlain = form === "text" || (form === "pips" && value > (pips[plane]?.length ?? 0));
        if (value && isPlain) plain.push(value);
        else if (form === "seeds" && value) yield there(this.place(cell, 0), filled(counted, value));
        else if (form === "stack" && value > most) {
          yield there(this.place(cell, most - 1), filled(labels[plane]!, value));
        }
      }
      if (plain.length) yield there(this.place(cell, 0), filled(labels[plane]!, plain.join(" ")));
    }
  }

  /** The upper pieces of a stack, the lowest of them first, around the point of the cell. */
  private *column(cell: number, plane: number): Iterable<string> {
    const { forms, figures, most } = this.parts;
    const column = [...this.shown.under[cell]!, plane].slice(-most);
    for (const [level, each] of column.entries()) {
      const place = this.place(cell, level - (column.length - 1) / 2);
      yield there(place, figures[forms[cell]!]![each]!);
    }
  }

  /** The number of pieces of the stack on a cell; 0 without stacks or pieces. */
  private height(cell: number): number {
    return this.shown.under.length && this.standing.has(cell) ? this.shown.under[cell]!.length + 1 : 0;
  }

  /** A figure for each group, as large as the group. */
  private *large({ plane, joints, unit }: Joined): Iterable<string> {
    const own = [...this.standing].filter(([, one]) => one === plane).map(([cell]) => cell);
    for (const cells of groups(own, joints)) {
      const points = cells.map((cell) => this.place(cell, 0));
      const [x, y] = middle(points);
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
      if (counter.form === form) yield this.shown.numbers[at]!;
    }
  }

  private has({ plane }: Joined, cell: number): boolean {
    return this.standing.get(cell) === plane;
  }

  /** The place of a piece of a stack on a cell. */
  private place(cell: number, level: number): Point {
    const { cells, forms, steps } = this.parts;
    const [[x, y], [dx, dy]] = [cells[cell]!.at, steps[forms[cell]!]!];
    return [rounded(x + level * dx), rounded(y + level * dy)];
  }
}

/** A length as the package writes it. */
function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}

type Joint = Joined["joints"][number];

/** Disjoint pairs; a cell with a single free neighbour comes first, as in `drawing.joining`. */
export function pairs(there: Joint[]): Joint[] {
  const found: Joint[] = [];
  for (let left = there; left.length; ) {
    const counts = new Map<number, number>();
    for (const cell of left.flatMap(([a, b]) => [a, b])) {
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    const free = ([a, b]: Joint) => Math.min(counts.get(a)!, counts.get(b)!);
    const best = left.reduce((one, other) => (free(other) < free(one) ? other : one));
    found.push(best);
    left = left.filter(([a, b]) => ![a, b].some((cell) => cell === best[0] || cell === best[1]));
  }
  return found;
}

/** The connected groups of some cells. */
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

/** The middle of the smallest rectangle around some points. */
function middle(points: Point[]): Point {
  const [x, y] = [0, 1].map((i) => {
    const along = points.map((point) => point[i]!);
    return (Math.max(...along) + Math.min(...along)) / 2;
  });
  return [x!, y!];
}

function trayFigure({ at, figures }: TrayItem, value: number): string {
  return there(at, figures[value] ?? "");
}

/** The seeds of a store. */
function store({ piles }: Parts, { at, form }: TrayItem, value: number): string {
  const element = piles[Math.min(value, piles.length) - 1];
  return form === "seeds" && element ? there(at, element) : "";
}

function trayText({ counted }: Parts, { at, form, names, text }: TrayItem, value: number): string {
  if (form === "seeds") return value ? there(at, filled(counted, value)) : "";
  const said = names.length ? (names[value] ?? "") : text.length ? value : "";
  return said === "" ? "" : there(at, filled(text, said));
}

function filled([before, behind]: string[], text: string | number): string {
  return `${before}${text}${behind}`;
}

function hasArea({ area, cells }: Parts, cell: number): boolean {
  return Boolean(area && cells[cell]!.outline.length);
}

function area({ area, cells }: Parts, cell: number): string {
  const outline = cells[cell]!.outline.map((point) => point.join(" "));
  return `<path d="M${outline.join("L")}z"${area}/>`;
}

function there([x, y]: Point, element: string): string {
  return element && `<g transform="translate(${x} ${y})">${element}</g>`;
}
