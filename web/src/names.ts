// Names of players and sides, and sentences about a position.

import type { Position, Settlement, Setup } from "./protocol";

export const PERSON = "person";
/** The player of a seat of a room that another person has. */
export const FRIEND = "friend";

/** The player that uses its time, above all levels. */
export const FULL = "search:seconds=1";

/** Whether a player has moved; throws of chance at the start do not count. */
export function hasBegun({ moves }: Pick<Position, "moves">): boolean {
  return moves.some(({ player }) => Boolean(player));
}

/** The side that a player plays now. */
export function sideOf({ sides }: Pick<Position, "sides">, player: string): string {
  return sides[player] ?? player;
}

/** The text of the player at a seat: a person, or a player as the server names it. */
export function seated({ players = {} }: Setup, player: string): string {
  return players[player] ?? PERSON;
}

/** The only person among several players; null where there is another number of persons. */
export function onlyPerson(position: Pick<Position, "players">, setup: Setup): string | null {
  const persons = position.players.filter((player) => seated(setup, player) === PERSON);
  return persons.length === 1 && position.players.length > 1 ? persons[0]! : null;
}

/** A player as people say it: `you`, `computer, level 3`. */
export function title(who: string, isOnly: boolean): string {
  if (who === PERSON) return isOnly ? "you" : "person";
  if (who === FRIEND) return who;
  const level = /^search:level=(\d+)$/.exec(who)?.[1];
  if (level) return `computer, level ${level}`;
  if (who === FULL) return "full strength";
  return who === "random" ? "random moves" : `computer, ${who}`;
}

/** A player within a sentence: `you`, `the computer`. */
function plainTitle(who: string): string {
  return who === PERSON ? "you" : who === FRIEND ? "your friend" : "the computer";
}

/** The winner, by the rules or by a settlement; null for none, undefined while the game goes on. */
export function winnerOf(position: Position, settled: Settlement | null): string | null | undefined {
  if (position.outcome) return position.outcome.winner;
  if (!settled) return undefined;
  const others = position.players.filter((player) => player !== settled.player);
  return settled.kind !== "agreed" && others.length === 1 ? others[0]! : null;
}

/** The state of the game in a sentence; sides are named by their colours on the board. */
export function standing(position: Position, setup: Setup, settled: Settlement | null): string {
  const { outcome, mover, chance } = position;
  const only = onlyPerson(position, setup);
  const winner = winnerOf(position, settled);
  const called = (player: string) =>
    `${sideOf(position, player)}${player === only ? " (you)" : ""}`;
  if (winner === undefined) return chance ? "a throw of chance" : `${called(mover)} to move`;
  const reason = outcome ? outcome.reason : settled ? why(settled, called) : "";
  const plain = outcome?.text ?? "a draw";
  const result = winner === null ? (outcome ? plain : "") : `${called(winner)} wins`;
  return [outcome && position.players.length === 1 ? plain : result, reason]
    .filter(Boolean)
    .join(": ");
}

function why({ kind, player = "" }: Settlement, called: (player: string) => string): string {
  if (kind === "agreed") return "a draw by agreement";
  return kind === "time" ? `${called(player)} is out of time` : `${called(player)} resigns`;
}

/** Who plays which side, where a swap has exchanged them; empty elsewhere. */
export function swapText(position: Position, setup: Setup): string {
  const { players } = position;
  if (players.every((player) => sideOf(position, player) === player)) return "";
  const only = onlyPerson(position, setup);
  const told = players.map((player) => {
    const who = seated(setup, player);
    const name = only === null ? `the ${ordinal(players.indexOf(player))} player` : plainTitle(who);
    return `${name} now ${name === "you" ? "play" : "plays"} ${sideOf(position, player)}`;
  });
  return `Sides were swapped: ${told.join(", ")}.`;
}

function ordinal(index: number): string {
  return ["first", "second", "third", "fourth"][index] ?? `${index + 1}th`;
}
