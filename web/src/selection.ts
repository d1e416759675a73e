// Selection of a legal move by a sequence of cells.

import type { Cell, LegalMove, Position } from "./protocol";

/** The result of the selection of one more cell. */
export type SelectionResult =
  | { kind: "move"; move: LegalMove }
  | { kind: "partial"; selected: number[]; complete: LegalMove[] }
  | { kind: "ambiguous"; selected: number[]; complete: LegalMove[] }
  | { kind: "cleared" }
  | { kind: "illegal"; selected: number[] };

/** Return the sequence of cells that selects a move. */
export function pathOf({ steps }: Pick<LegalMove, "steps">): number[] {
  const cells = steps.flat().filter((cell) => cell >= 0);
  return cells.filter((cell, at) => cell !== cells[at - 1]);
}

/** The steps of a move, and the cells of the tile that it covers, which are selected in any order. */
export type Route = Pick<LegalMove, "steps" | "covers">;

/** Return the number of cells that select a move. */
export function lengthOf(move: Route): number {
  return move.covers?.length ?? pathOf(move).length;
}

/** Return the moves with paths that begin with the selected cells, or with tiles that cover them. */
export function movesWithPrefix<T extends Route>(legal: T[], selected: number[]): T[] {
  return legal.filter((move) => {
    const { covers } = move;
    if (covers) return selected.every((cell) => covers.includes(cell));
    const path = pathOf(move);
    return selected.every((cell, at) => path[at] === cell);
  });
}

/** Return the cells that can be selected next. */
export function nextCells(legal: Route[], selected: number[]): Set<number> {
  return new Set(movesWithPrefix(legal, selected).flatMap((move) => nextCellsOf(move, selected)));
}

/** Return the cells of a move that can be selected next. */
export function nextCellsOf(move: Route, selected: number[]): number[] {
  if (move.covers) return move.covers.filter((cell) => !selected.includes(cell));
  return pathOf(move).slice(selected.length, selected.length + 1);
}

/** Return the result of the selection of a cell after other cells. */
export function selectCell(legal: LegalMove[], selected: number[], cell: number): SelectionResult {
  const isCovered = legal.some((move) => move.covers) && selected.includes(cell);
  if (selected.at(-1) === cell || isCovered) return repeatLast(legal, selected);
  const continuations = movesWithPrefix(legal, [...selected, cell]);
  if (continuations.length) return toResult(continuations, [...selected, cell]);
  const byTarget = selected.length
    ? movesWithPrefix(legal, selected).filter(
        (move) => !move.covers && pathOf(move).at(-1) === cell,
      )
    : [];
  if (byTarget.length) return toResult(byTarget, pathOf(byTarget[0]!), true);
  const restarted = selected.length ? movesWithPrefix(legal, [cell]) : [];
  if (restarted.length) return toResult(restarted, [cell]);
  return { kind: "illegal", selected: [...selected, cell] };
}

/** Return the result of a second click on the last cell: its only move, or no selection. */
function repeatLast(legal: LegalMove[], selected: number[]): SelectionResult {
  const [move, ...others] = completeMoves(legal, selected);
  return move && !others.length ? { kind: "move", move } : { kind: "cleared" };
}

function toResult(moves: LegalMove[], selected: number[], isComplete = false): SelectionResult {
  const [first] = moves;
  const complete = isComplete ? moves : completeMoves(moves, selected);
  const isForced = moves.length === 1 && (selected.length > 1 || complete.length === 1);
  if (first && isForced) return { kind: "move", move: first };
  return { kind: complete.length === moves.length ? "ambiguous" : "partial", selected, complete };
}

/** Return the moves that exactly these cells select. */
function completeMoves(moves: LegalMove[], selected: number[]): LegalMove[] {
  return movesWithPrefix(moves, selected).filter((move) => lengthOf(move) === selected.length);
}

/** Return the only placement in the column or row of a cell; null unless there is exactly one. */
export function dropInLine(
  legal: LegalMove[],
  { rows }: NonNullable<Position["table"]>,
  axis: "columns" | "rows",
  cell: number,
): LegalMove | null {
  const row = rows.findIndex(({ cells }) => cells.includes(cell));
  const column = rows[row]?.cells.indexOf(cell) ?? -1;
  const line =
    axis === "rows" ? rows[row]?.cells : rows.map(({ cells }) => cells[column] ?? null);
  const drops = legal.filter(
    ({ steps: [first, ...others] }) =>
      first && !others.length && first[0] < 0 && line?.includes(first[1]),
  );
  return drops.length === 1 ? drops[0]! : null;
}

/** Join cells to the text of a move, with the separator of the legal moves: `a2a4`, `a2-a4`. */
export function moveText(cells: Cell[], legal: LegalMove[], selected: number[]): string {
  return selected.map((cell) => cells[cell]!.name).join(separator(cells, legal));
}

function separator(cells: Cell[], legal: LegalMove[]): string {
  for (const move of legal) {
    const [from, to] = pathOf(move).map((cell) => cells[cell]!.name);
    if (from && to && move.text.startsWith(from)) {
      const end = move.text.indexOf(to, from.length);
      if (end >= 0) return move.text.slice(from.length, end);
    }
  }
  return "-";
}
