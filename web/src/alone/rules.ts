// A game by its kernels: states as words, moves as the words of their steps, texts of both.

import type { Contents } from "./contents";
import type { Argument, Kernels, Manifest, Words } from "./kernels";

const GOES_ON = -2;
const CELLS = 0x1fff;
const [ORIGIN, TARGET] = [16n, 29n];

export interface Ending {
  reason: string;
  winner: string | null;
  text?: string; // for a single player
}

/** One number as an argument. */
export function number(value: number | bigint): Words {
  return BigInt64Array.of(BigInt(value));
}

export class Rules {
  private readonly manifest: Manifest;
  private readonly numbers = new Map<string, number>(); // of steps, by their words

  constructor(
    private readonly kernels: Kernels,
    readonly game: Contents,
  ) {
    this.manifest = kernels.manifest;
    const { words } = game.steps;
    for (let at = 0; at < words.length; at += 3) {
      this.numbers.set(`${words[at]} ${words[at + 1]}`, words[at + 2]!);
    }
  }

  get start(): Words {
    const bytes = this.manifest.start.match(/../g)!.map((two) => parseInt(two, 16));
    return new BigInt64Array(new Uint8Array(bytes).buffer);
  }

  /** The legal moves in order; none where the rules fail. */
  legal(state: Words): Words[] {
    const given = this.kernels.call("singles.legal", state);
    if (!given) throw failed();
    const [steps, ends] = [this.kernels.list(given, 0), this.kernels.list(given, 2)];
    return [...ends].map((end, at) => steps.slice(at ? Number(ends[at - 1]) : 0, Number(end)));
  }

  /** The state behind a legal move. */
  apply(state: Words, move: Words): Words {
    return this.need("singles.apply", state, { list: move }, number(0));
  }

  ending(state: Words): Ending | null {
    const found = Number(this.need("singles.ending", state)[0]);
    if (found === GOES_ON) return null;
    const winner = (found % this.manifest.winners) - 1;
    const ending = {
      reason: this.game.ends[Math.floor(found / this.manifest.winners)] ?? "",
      winner: winner < 0 ? null : this.player(state, winner),
    };
    return this.game.players.length > 1 ? ending : { ...ending, text: this.payoff(state) };
  }

  /** The payoff of a single player in words. */
  private payoff(state: Words): string {
    const found = Number(this.need("singles.payoff", state)[0]);
    const [player] = this.game.players;
    if (this.game.pays) return `${player} gets ${found} ${Math.abs(found) === 1 ? "point" : "points"}`;
    return found > 0 ? `${player} wins` : found < 0 ? `${player} loses` : "a draw";
  }

  /** The scores by player, if the game has any. */
  scores(state: Words): Record<string, number> | null {
    if (!this.kernels.has("singles.scores")) return null;
    const found = [...this.need("singles.scores", state)].map(Number);
    const named = new Map(found.map((score, side) => [this.player(state, side), score]));
    return Object.fromEntries(this.game.players.map((name) => [name, named.get(name) ?? 0]));
  }

  side(state: Words): number {
    return Number(state[this.manifest.state.side]);
  }

  mover(state: Words): string {
    return this.player(state, this.side(state));
  }

  /** The name of the side to move. */
  moverSide(state: Words): string {
    return this.game.players[this.side(state)]!;
  }

  /** The side that each player plays. */
  sides(state: Words): Record<string, string> {
    const { players } = this.game;
    return Object.fromEntries(players.map((name, side) => [this.player(state, side), name]));
  }

  /** The number of the player to move. */
  moverNumber(state: Words): number {
    return this.game.players.indexOf(this.mover(state));
  }

  /** The weights of the legal moves where chance is to move, else none. */
  weights(state: Words, moves: Words[]): number[] {
    if (!moves.length || groupOf(moves[0]!) < this.game.chance) return [];
    const whole = Number(this.need("turn.mover", state)[1]);
    const bounds = moves.map((_, at) => this.firstBehind(state, at, whole));
    return bounds.map((bound, at) => bound - (bounds[at - 1] ?? 0));
  }

  /** The cells of the pieces of each plane that a state has. */
  pieces(state: Words): number[][] {
    return Object.values(this.manifest.state.planes).map((at) => this.cells(state, at));
  }

  /** A number at each cell, as `game.numbers` has them. */
  numbersAt(state: Words, { first, bits, low }: Contents["numbers"][number]): number[] {
    const found = this.game.drawing.cells.map(() => low);
    for (let bit = 0; bit < bits; bit += 1) {
      const at = this.manifest.state.registers[first + bit]!;
      for (const cell of this.cells(state, at)) found[cell]! += 1 << bit;
    }
    return found;
  }

  /** The planes of the pieces below the upper one by cell, from the bottom; none without stacks. */
  under(state: Words): number[][] {
    const { stacks } = this.game;
    if (!stacks) return [];
    const { codes } = stacks;
    const levels = stacks.levels.map((level) => this.numbersAt(state, level));
    return this.numbersAt(state, stacks.height).map((height, cell) =>
      Array.from({ length: Math.max(0, height - 1) }, (_, at) => {
        const level = levels[height - 2 - at];
        return codes[level ? level[cell]! : 0]!;
      }),
    );
  }

  /** The value of a register with one word. */
  register(state: Words, slot: number): number {
    return Number(state[this.manifest.state.registers[slot]!]);
  }

  text(state: Words, move: Words): string {
    const { texts, takes } = this.game.steps;
    const way = takes.includes(groupOf(move)) && this.takes(state, move) ? 1 : 0;
    const told = stepsOf(move).map((step, at) => {
      const column = texts[at ? way + 2 : way];
      return (column?.length ? column : texts[0]!)[this.numberOf(step)] ?? "?";
    });
    return told.join("");
  }

  /** The number of a step, as the game's actions have it. */
  private numberOf(step: Words): number {
    return this.numbers.get(`${step[0]} ${step[1]}`) ?? -1;
  }

  /** Whether the pieces that a move carries take any; what it selects afterwards does not. */
  private takes(state: Words, move: Words): boolean {
    const steps = stepsOf(move);
    const end = steps.findIndex((step) => cellsOf(step)[0] < 0);
    const carried = end < 0 ? steps : steps.slice(0, end);
    const [side, sets] = [number(this.side(state)), 5 * this.manifest.words];
    let draft: Words | null = new BigInt64Array([...state, ...new Array<bigint>(sets).fill(0n)]);
    for (const step of carried) {
      draft = draft && this.kernels.call("singles.step", draft, side, step);
    }
    const last = carried.at(-1);
    const made = draft && last && this.kernels.call("singles.finish", state, draft, side, last);
    if (!made) return false;
    const record = made.subarray(made.length - sets);
    const [removed, captured] = [3, 4].map((at) => this.set(record, at * this.manifest.words));
    return (removed! & captured!) !== 0n;
  }

  /** The least number that draws a branch behind the one at a place; they are in order. */
  private firstBehind(state: Words, place: number, whole: number): number {
    let [low, high] = [0, whole];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const drawn = Number(this.need("turn.branch", state, number(middle))[0]);
      if (drawn > place) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private player(state: Words, side: number): string {
    const { seats } = this.manifest.state;
    const isSwapped = seats !== null && state[seats] !== 0n;
    return this.game.players[isSwapped ? 1 - side : side]!;
  }

  private cells(state: Words, at: number): number[] {
    const found: number[] = [];
    let rest = this.set(state, at);
    for (let cell = 0; rest; cell += 1, rest >>= 1n) if (rest & 1n) found.push(cell);
    return found;
  }

  private set(words: Words, at: number): bigint {
    let found = 0n;
    for (let word = this.manifest.words - 1; word >= 0; word -= 1) {
      found = (found << 64n) | BigInt.asUintN(64, words[at + word]!);
    }
    return found;
  }

  private need(entry: string, ...args: Argument[]): Words {
    const found = this.kernels.call(entry, ...args);
    if (!found) throw failed();
    return found;
  }
}

function failed(): Error {
  return new Error("the rules fail in this position");
}

/** The steps of a move, two words each. */
export function stepsOf(move: Words): Words[] {
  return Array.from({ length: move.length / 2 }, (_, at) => move.subarray(2 * at, 2 * at + 2));
}

/** From where to where a step leads; -1 is no cell. */
export function cellsOf(step: Words): [from: number, to: number] {
  const cell = (at: bigint) => Number((step[0]! >> at) & BigInt(CELLS)) - 1;
  return [cell(ORIGIN), cell(TARGET)];
}

function groupOf(move: Words): number {
  return Number(move[0]! & 0xffn);
}
