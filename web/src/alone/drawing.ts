// Pictures of positions, put together from the parts that the file brings along.

import type { Contents, Parts } from "./contents";

export interface Shown {
  /** By plane the cells with its pieces. */
  pieces: number[][];
  /** By cell the numbers that are shown there. */
  numbers: number[][];
  /** The cells of the last move. */
  last: number[];
}

/** The element of a picture, as text. */
export function picture({ drawing, kept }: Contents, { pieces, numbers, last }: Shown): string {
  const standing = new Map<number, number>();
  pieces.forEach((cells, at) => cells.forEach((cell) => standing.set(cell, kept[at]!)));
  const figure = ([cell, plane]: [number, number]) =>
    there(drawing, cell, drawing.figures[drawing.forms[cell]!]![plane]!);
  const parts = [
    drawing.ground,
    ...last.filter((cell) => hasArea(drawing, cell)).map((cell) => area(drawing, cell)),
    drawing.dots,
    ...[...standing].map(figure),
    ...last
      .filter((cell) => !hasArea(drawing, cell))
      .map((cell) => there(drawing, cell, drawing.point)),
    drawing.labels,
    ...drawing.cells.map((_, cell) => written(drawing, cell, standing.get(cell), numbers[cell])),
  ];
  return `<svg ${drawing.head}>${parts.join("")}</svg>`;
}

function hasArea({ area, cells }: Parts, cell: number): boolean {
  return Boolean(area && cells[cell]!.outline.length);
}

function area({ area, cells }: Parts, cell: number): string {
  const outline = cells[cell]!.outline.map((point) => point.join(" "));
  return `<path d="M${outline.join("L")}z"${area}/>`;
}

function there({ cells }: Parts, cell: number, element: string): string {
  const [x, y] = cells[cell]!.at;
  return element && `<g transform="translate(${x} ${y})">${element}</g>`;
}

/** The numbers at a cell, but for zeros. */
function written(parts: Parts, cell: number, plane?: number, numbers: number[] = []): string {
  const text = numbers.filter((number) => number).join(" ");
  if (!text) return "";
  const [before, behind] = parts.numbers[plane ?? parts.numbers.length - 1]!;
  return there(parts, cell, `${before}${text}${behind}`);
}
