// Searches as the package has them, round after round: alpha-beta, and tree search by random games.

import type { Kernels, Memory, TreeLayout, Words } from "./kernels";
import { logVisits, noisyChoice } from "./noise";
import { number } from "./rules";

const MOST = (64 * 2 ** 20) / 8; // words of a table or of a tree
const ENTRY = 2; // words of a position in the table
const ROOM = 2 ** 17; // words for the order of moves, position by position
const CHILDREN = 32; // for each random game there is room for so many nodes
const FIRST = 16; // random games of a round, which are twice as many each time
const SURE = 2 ** 28; // the value of a proven result, beyond all logarithms of visits
const SLICE = 30; // milliseconds of a tree search without a pause

/** What is searched: a state with so many legal moves, and the player who is to move in it. */
export interface Question {
  state: Words;
  count: number;
  player: number;
  /** The weights of the evaluation, if it has any. */
  weights: Words;
}

/** So many positions or random games, the noise of the choice in thousandths, and the method. */
export interface Limit {
  count: number;
  noise: number;
  seed: number;
  method: string;
}

/** Lets others have their turn; throws where nobody waits for the result any more. */
export type Breathe = () => Promise<void>;

/** The number of the move by alpha-beta, which looks at so many positions at most. */
export async function alphaBeta(
  kernels: Kernels,
  { state, count, player, weights }: Question,
  { count: nodes, noise, seed }: Limit,
  breathe: Breathe,
): Promise<number> {
  const at = kernels.manifest.search!;
  const entries = Math.max(2, Math.min(MOST / ENTRY, 2 * nodes) & ~1);
  const size = at.ROOT! + 2 * count + ROOM;
  const memory = kernels.memory(size + ENTRY * entries + weights.length);
  memory.words.set(weights, size + ENTRY * entries);
  const own = memory.words.subarray(0, size);
  const points = at.points!;
  const head = { LIMIT: nodes, SEARCHER: player, POINTS: points, ENTRIES: entries, ROOM: size };
  const within = noise > 0 ? 2 * at.LARGE! : 0;
  const told = { ...head, ...kernels.manifest.head, CHOSEN: -1, EXACT_WITHIN: within };
  for (const [name, value] of Object.entries(told)) own[at[name]!] = BigInt(value);
  own.set(kernels.manifest.reductions!.map(BigInt), at.REDUCTIONS);
  let order = Array.from({ length: count }, (_, move) => move);
  const values = new Array<number>(count).fill(0);
  const known = new Set<number>();
  for (let depth = 1; depth <= at.DEEPEST!; depth += 1) {
    begin(own, at, order, depth);
    const place = { at: memory.at };
    const given = [number(depth), number(kernels.manifest.sides), place];
    const table = { at: memory.at + size * 8 };
    const learned = weights.length > 0 ? [{ at: table.at + ENTRY * entries * 8 }] : [];
    const entry = `${kernels.manifest.part}.search_round`;
    const done = kernels.call(entry, state, ...given, table, ...learned)?.[0];
    const isFinished = done === BigInt(count);
    // Values of two rounds do not compare: a choice with noise uses those of one.
    if (!isFinished && noise > 0 && depth > 1) break;
    order.slice(0, Number(own[at.DONE!])).forEach((move) => known.add(move));
    order = ranked(own, at, order, values);
    const isWhole = own[at.ESTIMATED!] === 0n;
    const isSure = !at.points && Math.abs(values[order[0]!]!) >= at.SURE!;
    if (!isFinished || isWhole || isSure) break;
    await breathe();
  }
  if (noise === 0) return order[0]!;
  const estimates = values.map((value, move) => (known.has(move) ? value : null));
  return noisyChoice(estimates, noise, seed, at.SURE!) ?? order[0]!;
}

/** Tells the memory of a search what its next round is. */
function begin(own: Words, at: Record<string, number>, order: number[], depth: number): void {
  own[at.DEPTH!] = BigInt(depth);
  own[at.DONE!] = own[at.ESTIMATED!] = 0n;
  order.forEach((move, turn) => (own[at.ROOT! + turn] = BigInt(move)));
}

/**
 * The moves after a round, the best first; only the first ones may have been looked at. If all of
 * these lose, the others come first: they may not.
 */
function ranked(
  own: Words,
  at: Record<string, number>,
  order: number[],
  values: number[],
): number[] {
  const done = Number(own[at.DONE!]);
  const chosen = Number(own[at.CHOSEN!]);
  const known = order.slice(0, done);
  for (const move of known) values[move] = Number(own[at.ROOT! + order.length + move]);
  const isOther = (move: number) => Number(move !== chosen);
  known.sort((a, b) => isOther(a) - isOther(b) || values[b]! - values[a]! || a - b);
  const rest = order.slice(done);
  const lost = -at.SURE!;
  const isLost = known.length > 0 && values[known[0]!]! <= lost;
  const isBetter = isLost && rest.some((move) => values[move]! > lost);
  return isBetter ? [...rest, ...known] : [...known, ...rest];
}

/** The number of the move by a tree search of so many random games. */
export async function treeSearch(
  kernels: Kernels,
  { state, count }: Question,
  { count: playouts, noise, seed, method }: Limit,
  breathe: Breathe,
): Promise<number> {
  const tree = new Tree(kernels, count, playouts, method);
  // Where a round ends may change what is found: these are the rounds of the package.
  for (let [first, games] = [0, FIRST]; first < playouts; [first, games] = [first + games, 2 * games]) {
    const end = Math.min(first + games, playouts);
    if (!(await tree.grow(state, first, end, seed, breathe))) break;
  }
  const best = tree.best(count);
  return noise > 0 ? (noisyChoice(tree.values(count), noise, seed, SURE) ?? best) : best;
}

class Tree {
  private readonly memory: Memory;
  private readonly pool: Words;
  private readonly width: number;
  private slice = 1; // random games; how long one takes nobody knows before the first

  constructor(
    private readonly kernels: Kernels,
    count: number,
    playouts: number,
    method: string,
  ) {
    const own = this.of("OWN");
    this.width = this.of("TOTALS") + kernels.manifest.sides;
    const least = this.of("TREE") + (count + 1) * this.width;
    const most = Math.min(MOST, this.of("TREE") + CHILDREN * this.width * playouts);
    const room = Math.max(least, most);
    this.memory = kernels.memory(own + room);
    const { words } = this.memory;
    this.pool = words.subarray(own, own + room);
    for (const [place, value] of Object.entries(this.layout.heads[method]!)) {
      words[Number(place)] = BigInt(value);
    }
    words[this.of("THREADS")] = 1n;
    this.pool[this.of("END")] = BigInt(this.of("TREE") + this.width);
    this.pool[this.of("ROOM")] = BigInt(room);
    kernels.call("turn.tables", { at: this.memory.at });
  }

  /** Random games by their numbers; whether all were played, and more would tell more.
   *
   * Pauses change nothing in what is found. */
  async grow(
    state: Words,
    first: number,
    end: number,
    seed: number,
    breathe: Breathe,
  ): Promise<boolean> {
    const { at } = this.memory;
    const args = [end, seed, this.kernels.manifest.sides].map(number);
    const pool = { at: at + this.of("OWN") * 8 };
    this.pool[this.of("NEXT")] = BigInt(first);
    while (this.next < end) {
      const began = performance.now();
      this.pool[this.of("PAUSE")] = BigInt(this.next + this.slice);
      if (!this.kernels.call("tree.grow", state, ...args, { at }, pool)) return false;
      if (this.word(this.of("TREE"), "PROVEN") !== this.of("OPEN")) return false;
      this.reckon(performance.now() - began);
      await breathe();
    }
    return true;
  }

  /** How many random games fit into the next slice, from how long the last one took. */
  private reckon(milliseconds: number): void {
    const fitting = Math.floor((this.slice * SLICE) / Math.max(milliseconds, 1));
    this.slice = Math.max(1, Math.min(fitting, 2 * this.slice));
  }

  /** The number of the next random game. */
  private get next(): number {
    return Number(this.pool[this.of("NEXT")]);
  }

  /** The move that was visited most, unless one is won for sure; lost ones come last. */
  best(count: number): number {
    const children = this.children();
    const own = this.memory.words;
    // A single player follows the best game so far, unless chance makes payoffs a mean.
    if (this.kernels.manifest.sides === 1 && own[this.of("MAXIMISES")] && own[this.of("BEST_LENGTH")]) {
      const first = Number(own[this.of("BEST_PATH") + 1]);
      return (first - this.word(this.of("TREE"), "FIRST")) / this.width;
    }
    const ranks = Array.from({ length: count }, (_, move) => this.rank(children.get(move)));
    const isBefore = (a: number[], b: number[]) =>
      a.map((one, at) => one - b[at]!).find((less) => less) ?? 0;
    return ranks.indexOf([...ranks].sort(isBefore)[0]!);
  }

  /** The logarithms of the visits of moves; proven results are sure. */
  values(count: number): number[] {
    const children = this.children();
    return Array.from({ length: count }, (_, move) => this.value(children.get(move)));
  }

  private value(node: number | undefined): number {
    if (node === undefined) return 0;
    const proven = this.word(node, "PROVEN");
    if (proven > this.of("DRAWN") && this.kernels.manifest.sides > 1) {
      const player = this.word(this.of("TREE"), "MOVER");
      return proven === player + this.of("WON_BY") ? SURE : -SURE;
    }
    return logVisits(this.word(node, "VISITS"));
  }

  /** The nodes of the moves that there are by now: wide nodes have a list of them. */
  private children(): Map<number, number> {
    const root = this.of("TREE");
    const first = this.word(root, "FIRST");
    const found = new Map<number, number>();
    // In its lower half: above it stands who changes the list.
    if (this.word(root, "MORE") % 2 ** 32 === 0) {
      const count = this.word(root, "COUNT");
      for (let move = 0; move < count; move += 1) found.set(move, first + move * this.width);
    } else {
      for (let node = first; node; node = this.word(node, "FURTHER")) {
        found.set(this.word(node, "NUMBER"), node);
      }
    }
    return found;
  }

  private rank(node: number | undefined): number[] {
    if (node === undefined) return [1, 0, 0];
    const player = this.word(this.of("TREE"), "MOVER");
    const proven = this.word(node, "PROVEN");
    const isWon = proven === player + this.of("WON_BY");
    const isLost = proven > this.of("DRAWN") && !isWon;
    return [Number(!isWon), Number(isLost), -this.word(node, "VISITS")];
  }

  private word(node: number, name: string): number {
    return Number(this.pool[node + this.of(name)]);
  }

  private get layout(): TreeLayout {
    return this.kernels.manifest.tree!;
  }

  private of(name: string): number {
    return this.layout[name]!;
  }
}
