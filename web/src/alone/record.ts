// Games as text, as `rulesengine replay` reads them.

import type { Position } from "../protocol";
import type { Contents } from "./contents";

const WIDTH = 80;

export function recordText(
  { record: [head, seed] }: Contents,
  moves: string[],
  players: Record<string, string>,
  position: Position,
): string {
  const sitting = Object.entries(players).map(([player, who]) => `player ${player}=${who}\n`);
  return [head, ...sitting, seed, "moves:\n", ...filled(moves), ...result(position)].join("");
}

/** Moves in lines of at most so many columns, unless one move alone is longer. */
function filled(moves: string[]): string[] {
  const lines: string[] = [];
  for (const word of moves.map(quoted)) {
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= WIDTH) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines.map((line) => `${line}\n`);
}

/** A move as a word: one with blanks, or that looks like something else, in quotes. */
function quoted(move: string): string {
  return /^[^\s"]\S*$/.test(move) && move !== "result:" ? move : JSON.stringify(move);
}

function result({ outcome, scores }: Position): string[] {
  if (!outcome) return ["result: unfinished\n"];
  const who = outcome.winner === null ? "draw" : `${outcome.winner} wins`;
  const told = Object.entries(scores ?? {}).map(([name, score]) => `${name} ${score}`);
  return [`result: ${who}, ${outcome.reason}\n`, told.length ? `scores: ${told.join(", ")}\n` : ""];
}
