// Game records in the text format that `rulesengine replay` reads.

import type { Position } from "../protocol";
import type { Contents } from "./contents";

const WIDTH = 80;

export function recordText(
  { record: [head, seed] }: Contents,
  moves: string[],
  players: Record<string, string>,
  position: Position,
): string {
  const playerLines = Object.entries(players).map(([player, occupant]) => `player ${player}=${occupant}\n`);
  return [head, ...playerLines, seed, "moves:\n", ...wrapMoves(moves), ...resultLines(position)].join("");
}

/** Wrap moves into lines of at most `WIDTH` columns; a longer move has a line of its own. */
function wrapMoves(moves: string[]): string[] {
  const lines: string[] = [];
  for (const word of moves.map(quoteMove)) {
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= WIDTH) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines.map((line) => `${line}\n`);
}

/** Return a move as a word; a move with spaces, or an ambiguous one, is quoted. */
function quoteMove(move: string): string {
  return /^[^\s"]\S*$/.test(move) && move !== "result:" ? move : JSON.stringify(move);
}

function resultLines({ outcome, scores }: Position): string[] {
  if (!outcome) return ["result: unfinished\n"];
  const winner = outcome.winner === null ? "draw" : `${outcome.winner} wins`;
  const totals = Object.entries(scores ?? {}).map(([name, score]) => `${name} ${score}`);
  return [`result: ${winner}, ${outcome.reason}\n`, totals.length ? `scores: ${totals.join(", ")}\n` : ""];
}
