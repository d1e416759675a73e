// Marks on cells: the area that is chosen, hints of legal targets, tags with values.

import type { Cell, Value } from "./protocol";
import { shape } from "./svg";

const USUAL = 40; // units between two cells of a picture

/** The part of a cell that a pointer hits. */
export function area({ at: [cx, cy], outline }: Cell, r: number): SVGElement {
  if (!outline.length) return shape("circle", { cx, cy, r, class: "area" });
  return shape("path", { d: `M${outline.map((point) => point.join(" ")).join("L")}z`, class: "area" });
}

/** A dot on an empty cell that may be chosen, a ring around a piece. */
export function hint([cx, cy]: [number, number], isTaken: boolean, unit: number): SVGElement {
  const r = unit * (isTaken ? 0.43 : 0.16);
  return shape("circle", { cx, cy, r, class: isTaken ? "ring" : "dot" });
}

/** A tag with a value at the lower edge of a cell, so that a piece there can be seen. */
export function tag([x, y]: [number, number], { short, bar }: Value, unit: number): SVGElement {
  const size = unit * 0.26;
  const wide = Math.max(size * 1.4, short.length * size * 0.62 + size * 0.5);
  const sort = bar > 0.05 ? "good" : bar < -0.05 ? "bad" : "even";
  const made = shape("g", { class: `worth ${sort}` });
  made.append(
    shape("rect", {
      x: x - wide / 2,
      y: y + unit * 0.16,
      width: wide,
      height: size * 1.25,
      rx: size * 0.25,
    }),
  );
  const written = shape("text", { x, y: y + unit * 0.16 + size * 0.96, "font-size": size });
  written.append(short);
  made.append(written);
  return made;
}

/** A text that two boards share if their cells lie alike. */
export function geometry(cells: Cell[]): string {
  return JSON.stringify(cells.map(({ name, at }) => [name, at]));
}

/** The least distance between two cells that follow one another. */
export function spacing(cells: Cell[]): number {
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
