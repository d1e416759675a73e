// Names of players and sides, and sentences about a position.

import type { Position, Settlement, Setup } from "./protocol";

export const PERSON = "person";
/** The occupant of a seat of a room that another person has taken. */
export const FRIEND = "friend";

/** The computer at full strength, above all levels. */
export const FULL = "search:seconds=1";

/** True if a player has moved; chance moves at the start do not count. */
export function hasBegun({ moves }: Pick<Position, "moves">): boolean {
  return moves.some(({ player }) => Boolean(player));
}

/** Return the side that a player plays now. */
export function sideOf({ sides }: Pick<Position, "sides">, player: string): string {
  return sides[player] ?? player;
}

/** Return the occupant of a seat: a person, or a player in the terms of the server. */
export function occupantOf({ players = {} }: Setup, player: string): string {
  return players[player] ?? PERSON;
}

/** Return the only person among several players; null unless there is exactly one. */
export function onlyPerson(position: Pick<Position, "players">, setup: Setup): string | null {
  const people = position.players.filter((player) => occupantOf(setup, player) === PERSON);
  return people.length === 1 && position.players.length > 1 ? people[0]! : null;
}

/** Return the label of an occupant: `you`, `computer, level 3`. */
export function occupantTitle(occupant: string, isOnly: boolean): string {
  if (occupant === PERSON) return isOnly ? "you" : "person";
  if (occupant === FRIEND) return occupant;
  const level = /^search:level=(\d+)$/.exec(occupant)?.[1];
  if (level) return `computer, level ${level}`;
  if (occupant === FULL) return "full strength";
  return occupant === "random" ? "random moves" : `computer, ${occupant}`;
}

/** Return an occupant as the subject of a sentence: `you`, `the computer`. */
function occupantInSentence(occupant: string): string {
  return occupant === PERSON ? "you" : occupant === FRIEND ? "your friend" : "the computer";
}

/** Return the winner; null without one, undefined while the game goes on. */
export function winnerOf(position: Position, settled: Settlement | null): string | null | undefined {
  if (position.outcome) return position.outcome.winner;
  if (!settled) return undefined;
  const others = position.players.filter((player) => player !== settled.player);
  return settled.kind !== "agreed" && others.length === 1 ? others[0]! : null;
}

/** Return the state of the game as a sentence; sides are named by their colours on the board. */
export function statusText(position: Position, setup: Setup, settled: Settlement | null): string {
  const { outcome, mover, chance } = position;
  const only = onlyPerson(position, setup);
  const winner = winnerOf(position, settled);
  const nameOf = (player: string) =>
    `${sideOf(position, player)}${player === only ? " (you)" : ""}`;
  if (winner === undefined && position.hides && chance && !position.moves.length) return "not begun";
  if (winner === undefined) return chance ? "a throw of chance" : `${nameOf(mover)} to move`;
  const reason = outcome ? outcome.reason : settled ? settlementReason(settled, nameOf) : "";
  const plain = outcome?.text ?? "a draw";
  const result = winner === null ? (outcome ? plain : "") : `${nameOf(winner)} wins`;
  return [outcome && position.players.length === 1 ? plain : result, reason]
    .filter(Boolean)
    .join(": ");
}

function settlementReason({ kind, player = "" }: Settlement, nameOf: (player: string) => string): string {
  if (kind === "agreed") return "a draw by agreement";
  return kind === "time" ? `${nameOf(player)} is out of time` : `${nameOf(player)} resigns`;
}

/** Return a sentence with the sides of the players after a swap; empty without a swap. */
export function swapText(position: Position, setup: Setup): string {
  const { players } = position;
  if (players.every((player) => sideOf(position, player) === player)) return "";
  const only = onlyPerson(position, setup);
  const clauses = players.map((player) => {
    const occupant = occupantOf(setup, player);
    const name = only === null ? `the ${ordinal(players.indexOf(player))} player` : occupantInSentence(occupant);
    return `${name} now ${name === "you" ? "play" : "plays"} ${sideOf(position, player)}`;
  });
  return `Sides were swapped: ${clauses.join(", ")}.`;
}

function ordinal(index: number): string {
  return ["first", "second", "third", "fourth"][index] ?? `${index + 1}th`;
}
