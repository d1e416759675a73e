// From cells that are chosen one after another to one legal move.

import type { Cell, LegalMove, Position } from "./protocol";

/** What the choice of one more cell comes to. */
export type Choice =
  | { kind: "played"; move: LegalMove }
  | { kind: "picked"; picked: number[]; ready: LegalMove[] }
  | { kind: "several"; picked: number[]; ready: LegalMove[] }
  | { kind: "dropped" }
  | { kind: "illegal"; picked: number[] };

/** The cells that a move names one after another. */
export function pathOf({ steps }: Pick<LegalMove, "steps">): number[] {
  const cells = steps.flat().filter((cell) => cell >= 0);
  return cells.filter((cell, at) => cell !== cells[at - 1]);
}

/** The moves that begin with the cells picked so far. */
export function fitting<T extends Pick<LegalMove, "steps">>(legal: T[], picked: number[]): T[] {
  return legal.filter((move) => {
    const path = pathOf(move);
    return picked.every((cell, at) => path[at] === cell);
  });
}

/** The cells that may be chosen next. */
export function nextCells(legal: LegalMove[], picked: number[]): Set<number> {
  const next = fitting(legal, picked).map((move) => pathOf(move)[picked.length]);
  return new Set(next.filter((cell) => cell !== undefined));
}

/** What choosing a cell comes to, after those picked before it. */
export function choose(legal: LegalMove[], picked: number[], cell: number): Choice {
  if (picked.at(-1) === cell) return again(legal, picked);
  const further = fitting(legal, [...picked, cell]);
  if (further.length) return narrowed(further, [...picked, cell]);
  const ending = picked.length
    ? fitting(legal, picked).filter((move) => pathOf(move).at(-1) === cell)
    : [];
  if (ending.length) return narrowed(ending, pathOf(ending[0]!), true);
  const anew = picked.length ? fitting(legal, [cell]) : [];
  if (anew.length) return narrowed(anew, [cell]);
  return { kind: "illegal", picked: [...picked, cell] };
}

/** The cell that was picked last, chosen again: the move that ends there, or none any more. */
function again(legal: LegalMove[], picked: number[]): Choice {
  const [move, ...others] = ended(legal, picked);
  return move && !others.length ? { kind: "played", move } : { kind: "dropped" };
}

function narrowed(moves: LegalMove[], picked: number[], isWhole = false): Choice {
  const [first] = moves;
  const ready = isWhole ? moves : ended(moves, picked);
  const isForced = moves.length === 1 && (picked.length > 1 || ready.length === 1);
  if (first && isForced) return { kind: "played", move: first };
  return { kind: ready.length === moves.length ? "several" : "picked", picked, ready };
}

/** The moves that name these cells and no more. */
function ended(moves: LegalMove[], picked: number[]): LegalMove[] {
  return fitting(moves, picked).filter((move) => pathOf(move).length === picked.length);
}

/** The only placement in the column (or row) of a cell; null where there is none. */
export function inLine(
  legal: LegalMove[],
  { rows }: NonNullable<Position["table"]>,
  lines: "columns" | "rows",
  cell: number,
): LegalMove | null {
  const row = rows.findIndex(({ cells }) => cells.includes(cell));
  const column = rows[row]?.cells.indexOf(cell) ?? -1;
  const same =
    lines === "rows" ? rows[row]?.cells : rows.map(({ cells }) => cells[column] ?? null);
  const found = legal.filter(
    ({ steps: [first, ...others] }) =>
      first && !others.length && first[0] < 0 && same?.includes(first[1]),
  );
  return found.length === 1 ? found[0]! : null;
}

/** Cells as this game writes them in a move, as its legal moves show: `a2a4`, `a2-a4`. */
export function written(cells: Cell[], legal: LegalMove[], picked: number[]): string {
  return picked.map((cell) => cells[cell]!.name).join(joiner(cells, legal));
}

function joiner(cells: Cell[], legal: LegalMove[]): string {
  for (const move of legal) {
    const [from, to] = pathOf(move).map((cell) => cells[cell]!.name);
    if (from && to && move.text.startsWith(from)) {
      const end = move.text.indexOf(to, from.length);
      if (end >= 0) return move.text.slice(from.length, end);
    }
  }
  return "-";
}
