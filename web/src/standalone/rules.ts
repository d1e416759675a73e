// The rules of a game, computed by its kernels. States and steps of moves are words.

import type { Contents } from "./contents";
import type { Argument, Kernels, Manifest, Words } from "./kernels";

const NO_END = -2;
const CELL_MASK = 0x1fff;
const [ORIGIN, TARGET] = [16n, 29n];

export interface Ending {
  reason: string;
  winner: string | null;
  /** The result of a single player. */
  text?: string;
}

/** Return a number as an argument of an entry point. */
export function number(value: number | bigint): Words {
  return BigInt64Array.of(BigInt(value));
}

export class Rules {
  private readonly manifest: Manifest;
  /** The step numbers by the words of steps. */
  private readonly numbers = new Map<string, number>();

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

  /** Return the legal moves in order; throw an error if the kernel fails. */
  legal(state: Words): Words[] {
    const results = this.kernels.call("singles.legal", state);
    if (!results) throw kernelError();
    const [steps, ends] = [this.kernels.list(results, 0), this.kernels.list(results, 2)];
    return [...ends].map((end, at) => steps.slice(at ? Number(ends[at - 1]) : 0, Number(end)));
  }

  /** Return the state after a legal move. */
  apply(state: Words, move: Words): Words {
    return this.callOrThrow("singles.apply", state, { list: move }, number(0));
  }

  /** Return the outcome of a state; null if the game goes on. */
  ending(state: Words): Ending | null {
    const code = Number(this.callOrThrow("singles.ending", state)[0]);
    if (code === NO_END) return null;
    const winner = (code % this.manifest.winners) - 1;
    const ending = {
      reason: this.game.end_reasons[Math.floor(code / this.manifest.winners)] ?? "",
      winner: winner < 0 ? null : this.player(state, winner),
    };
    return this.game.players.length > 1 ? ending : { ...ending, text: this.payoff(state) };
  }

  /** Return a description of the payoff of a single player. */
  private payoff(state: Words): string {
    const points = Number(this.callOrThrow("singles.payoff", state)[0]);
    const [player] = this.game.players;
    if (this.game.has_payoff) return `${player} gets ${points} ${Math.abs(points) === 1 ? "point" : "points"}`;
    return points > 0 ? `${player} wins` : points < 0 ? `${player} loses` : "a draw";
  }

  /** Return the scores by player; null if the game has none. */
  scores(state: Words): Record<string, number> | null {
    if (!this.kernels.has("singles.scores")) return null;
    const sideScores = [...this.callOrThrow("singles.scores", state)].map(Number);
    const byPlayer = new Map(sideScores.map((score, side) => [this.player(state, side), score]));
    return Object.fromEntries(this.game.players.map((name) => [name, byPlayer.get(name) ?? 0]));
  }

  side(state: Words): number {
    return Number(state[this.manifest.state.side]);
  }

  mover(state: Words): string {
    return this.player(state, this.side(state));
  }

  /** Return the name of the side to move. */
  moverSide(state: Words): string {
    return this.game.players[this.side(state)]!;
  }

  /** Return the side of each player. */
  sides(state: Words): Record<string, string> {
    const { players } = this.game;
    return Object.fromEntries(players.map((name, side) => [this.player(state, side), name]));
  }

  /** Return the index of the player to move. */
  moverNumber(state: Words): number {
    return this.game.players.indexOf(this.mover(state));
  }

  /** Return the weights of the legal moves if chance is to move, else an empty list. */
  weights(state: Words, moves: Words[]): number[] {
    if (!moves.length || groupOf(moves[0]!) < this.game.first_chance_group) return [];
    const total = Number(this.callOrThrow("turn.mover", state)[1]);
    const bounds = moves.map((_, at) => this.upperBound(state, at, total));
    return bounds.map((bound, at) => bound - (bounds[at - 1] ?? 0));
  }

  /** Return the cells of the pieces of each plane in a state. */
  pieces(state: Words): number[][] {
    return Object.values(this.manifest.state.planes).map((at) => this.cells(state, at));
  }

  /**
   * Return the cell that a move has filled, if the rules read earlier positions; -1 if there is no
   * such cell, or more than one. Searches of other games do not know the last move.
   */
  lastPlacement(before: Words | null, after: Words): number {
    if (before === null || this.manifest.state.history === null) return -1;
    const occupied = new Set(this.pieces(before).flat());
    const filled = new Set(this.pieces(after).flat().filter((cell) => !occupied.has(cell)));
    return filled.size === 1 ? [...filled][0]! : -1;
  }

  /** Return the values of a number of `game.numbers`, by cell. */
  numbersAt(state: Words, { first, bits, low }: Contents["numbers"][number]): number[] {
    const values = this.game.drawing.cells.map(() => low);
    for (let bit = 0; bit < bits; bit += 1) {
      const at = this.manifest.state.registers[first + bit]!;
      for (const cell of this.cells(state, at)) values[cell]! += 1 << bit;
    }
    return values;
  }

  /** Return the planes of the pieces below the top piece, by cell and from the bottom. */
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

  /** Return the value of a register with one word. */
  register(state: Words, slot: number): number {
    return Number(state[this.manifest.state.registers[slot]!]);
  }

  /** Return the notation of a move. */
  text(state: Words, move: Words): string {
    const { texts, capture_groups } = this.game.steps;
    const isMarked = capture_groups.includes(groupOf(move)) && this.isCapture(state, move);
    const firstColumn = isMarked ? 1 : 0;
    const parts = stepsOf(move).map((step, at) => {
      const column = texts[at ? firstColumn + 2 : firstColumn];
      return (column?.length ? column : texts[0]!)[this.numberOf(step)] ?? "?";
    });
    return parts.join("");
  }

  /** Return the number of a step among the actions of the game; -1 if it has none. */
  private numberOf(step: Words): number {
    return this.numbers.get(`${step[0]} ${step[1]}`) ?? -1;
  }

  /** True if the steps of a move before its selections capture a piece. */
  private isCapture(state: Words, move: Words): boolean {
    const steps = stepsOf(move);
    const end = steps.findIndex((step) => cellsOf(step)[0] < 0);
    const carrying = end < 0 ? steps : steps.slice(0, end);
    const [side, sets] = [number(this.side(state)), 5 * this.manifest.words];
    let draft: Words | null = new BigInt64Array([...state, ...new Array<bigint>(sets).fill(0n)]);
    for (const step of carrying) {
      draft = draft && this.kernels.call("singles.step", draft, side, step);
    }
    const last = carrying.at(-1);
    const finished = draft && last && this.kernels.call("singles.finish", state, draft, side, last);
    if (!finished) return false;
    const record = finished.subarray(finished.length - sets);
    const [removed, captured] = [3, 4].map((at) => this.set(record, at * this.manifest.words));
    return (removed! & captured!) !== 0n;
  }

  /** Return the smallest random number that draws a branch after a given one, by binary search. */
  private upperBound(state: Words, branch: number, total: number): number {
    let [low, high] = [0, total];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const drawn = Number(this.callOrThrow("turn.branch", state, number(middle))[0]);
      if (drawn > branch) high = middle;
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
    const occupied: number[] = [];
    let rest = this.set(state, at);
    for (let cell = 0; rest; cell += 1, rest >>= 1n) if (rest & 1n) occupied.push(cell);
    return occupied;
  }

  private set(words: Words, at: number): bigint {
    let bits = 0n;
    for (let word = this.manifest.words - 1; word >= 0; word -= 1) {
      bits = (bits << 64n) | BigInt.asUintN(64, words[at + word]!);
    }
    return bits;
  }

  private callOrThrow(entry: string, ...args: Argument[]): Words {
    const results = this.kernels.call(entry, ...args);
    if (!results) throw kernelError();
    return results;
  }
}

function kernelError(): Error {
  return new Error("the rules fail in this position");
}

/** Return the steps of a move, two words each. */
export function stepsOf(move: Words): Words[] {
  return Array.from({ length: move.length / 2 }, (_, at) => move.subarray(2 * at, 2 * at + 2));
}

/** Return the origin and the target of a step; -1 is no cell. */
export function cellsOf(step: Words): [from: number, to: number] {
  const cell = (at: bigint) => Number((step[0]! >> at) & BigInt(CELL_MASK)) - 1;
  return [cell(ORIGIN), cell(TARGET)];
}

export function groupOf(move: Words): number {
  return Number(move[0]! & 0xffn);
}
