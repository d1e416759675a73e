// Marks on cells: click areas, legal targets, and tags with values.

import type { Cell, Value } from "./protocol";
import { shape } from "./svg";

const DEFAULT_SPACING = 40; // units between two cells of a picture

/** Create the area of a cell that receives clicks. */
export function cellArea({ at: [cx, cy], outline }: Cell, r: number): SVGElement {
  if (!outline.length) return shape("circle", { cx, cy, r, class: "area" });
  return shape("path", { d: `M${outline.map((point) => point.join(" ")).join("L")}z`, class: "area" });
}

/** Create the mark of a legal target: a dot on an empty cell, a ring around a piece. */
export function targetMark([cx, cy]: [number, number], isTaken: boolean, unit: number): SVGElement {
  const r = unit * (isTaken ? 0.43 : 0.16);
  return shape("circle", { cx, cy, r, class: isTaken ? "ring" : "dot" });
}

/** Create a tag with a value at the lower edge of a cell, where it does not hide the piece. */
export function valueTag([x, y]: [number, number], { short, bar }: Value, unit: number): SVGElement {
  const size = unit * 0.26;
  const width = Math.max(size * 1.4, short.length * size * 0.62 + size * 0.5);
  const kind = bar > 0.05 ? "good" : bar < -0.05 ? "bad" : "even";
  const element = shape("g", { class: `value-tag ${kind}` });
  element.append(
    shape("rect", {
      x: x - width / 2,
      y: y + unit * 0.16,
      width,
      height: size * 1.25,
      rx: size * 0.25,
    }),
  );
  const text = shape("text", { x, y: y + unit * 0.16 + size * 0.96, "font-size": size });
  text.append(short);
  element.append(text);
  return element;
}

/** Return a text that is equal for boards with the same cells. */
export function geometry(cells: Cell[]): string {
  return JSON.stringify(cells.map(({ name, at }) => [name, at]));
}

/** Return the least distance between two consecutive cells. */
export function spacing(cells: Cell[]): number {
  const distances = cells.slice(1).map(({ at: [x, y] }, before) => {
    const [u, v] = cells[before]!.at;
    return Math.hypot(x - u, y - v);
  });
  return Math.min(DEFAULT_SPACING, ...distances);
}

/** Return the nearest cell in a direction, or the same one at the edge. */
export function neighbour(cells: Cell[], from: number, [dx, dy]: [number, number]): number {
  const origin = cells[from]!.at;
  let [nearest, least] = [from, Infinity];
  cells.forEach(({ at }, cell) => {
    const [x, y] = [at[0] - origin[0], at[1] - origin[1]];
    const along = x * dx + y * dy;
    const across = Math.abs(x * dy) + Math.abs(y * dx);
    const cost = along + 2 * across;
    if (along > 1e-6 && across <= along * 1.5 && cost < least) [nearest, least] = [cell, cost];
  });
  return nearest;
}
