// The searches of the Python package: iterative-deepening alpha-beta, and Monte Carlo tree search.

import type { Kernels, Memory, TreeLayout, Words } from "./kernels";
import { logVisits, noisyChoice } from "./noise";
import { number } from "./rules";

const MAX_WORDS = (64 * 2 ** 20) / 8; // of a transposition table or of a tree
const ENTRY_WORDS = 2; // of an entry of the transposition table
const ORDERING_WORDS = 2 ** 17; // for the move ordering of all positions on a line
const NODES_PER_PLAYOUT = 32; // for which memory is reserved
const FIRST_ROUND = 16; // playouts; each later round has twice as many
const PROVEN = 2 ** 28; // the value of a proven result, above all logarithms of visits
const SLICE_TIME = 30; // milliseconds of a tree search between two checkpoints

/** The root position of a search. */
export interface SearchRoot {
  state: Words;
  /** The number of legal moves. */
  count: number;
  /** The index of the player to move. */
  player: number;
  /** The weights of positions or moves, if there are any. */
  weights: Words;
  /** The cell of the last placement, if the rules read earlier positions; -1 if it is unknown. */
  lastPlacement: number;
}

export interface SearchLimits {
  /** The number of positions or of playouts. */
  count: number;
  /** The noise of the choice, in thousandths. */
  noise: number;
  seed: number;
  method: string;
  /** The part of the kernels that searches. */
  part: string;
}

/** Yields to the event loop; throws if the request was cancelled. */
export type Checkpoint = () => Promise<void>;

/** Return the index of a move found by alpha-beta search within a limit of positions. */
export async function alphaBeta(
  kernels: Kernels,
  { state, count, player, weights }: SearchRoot,
  { count: nodes, noise, seed, part }: SearchLimits,
  checkpoint: Checkpoint,
): Promise<number> {
  const at = kernels.manifest.search!;
  const entries = Math.max(2, Math.min(MAX_WORDS / ENTRY_WORDS, 2 * nodes) & ~1);
  const size = at.ROOT! + 2 * count + ORDERING_WORDS;
  const memory = kernels.memory(size + ENTRY_WORDS * entries + weights.length);
  memory.words.set(weights, size + ENTRY_WORDS * entries);
  const header = memory.words.subarray(0, size);
  const points = at.points!;
  const head = { LIMIT: nodes, SEARCHER: player, POINTS: points, ENTRIES: entries, ROOM: size };
  const within = noise > 0 ? 2 * at.LARGE! : 0;
  const settings = { ...head, ...kernels.manifest.head, CHOSEN: -1, EXACT_WITHIN: within };
  for (const [name, value] of Object.entries(settings)) header[at[name]!] = BigInt(value);
  header.set(kernels.manifest.reductions!.map(BigInt), at.REDUCTIONS);
  let order = Array.from({ length: count }, (_, move) => move);
  const values = new Array<number>(count).fill(0);
  const searched = new Set<number>();
  for (let depth = 1; depth <= at.DEEPEST!; depth += 1) {
    startRound(header, at, order, depth);
    const args = [number(depth), number(kernels.manifest.sides), { at: memory.at }];
    const table = { at: memory.at + size * 8 };
    const weightsArg = weights.length > 0 ? [{ at: table.at + ENTRY_WORDS * entries * 8 }] : [];
    const done = kernels.call(`${part}.search_round`, state, ...args, table, ...weightsArg)?.[0];
    const isFinished = done === BigInt(count);
    // Values of different depths are not comparable: a choice with noise uses those of one round.
    if (!isFinished && noise > 0 && depth > 1) break;
    order.slice(0, Number(header[at.DONE!])).forEach((move) => searched.add(move));
    order = sortMoves(header, at, order, values);
    const isExhausted = header[at.ESTIMATED!] === 0n;
    const isProven = !at.points && Math.abs(values[order[0]!]!) >= at.CERTAIN!;
    if (!isFinished || isExhausted || isProven) break;
    await checkpoint();
  }
  if (noise === 0) return order[0]!;
  const estimates = values.map((value, move) => (searched.has(move) ? value : null));
  return noisyChoice(estimates, noise, seed, at.CERTAIN!) ?? order[0]!;
}

/** Write the depth and the move order of the next round into the memory of a search. */
function startRound(header: Words, at: Record<string, number>, order: number[], depth: number): void {
  header[at.DEPTH!] = BigInt(depth);
  header[at.DONE!] = header[at.ESTIMATED!] = 0n;
  order.forEach((move, turn) => (header[at.ROOT! + turn] = BigInt(move)));
}

/**
 * Return the moves after a round, best first. A round may have searched only the first moves; if
 * all of these lose, the others come first, since they may not lose.
 */
function sortMoves(
  header: Words,
  at: Record<string, number>,
  order: number[],
  values: number[],
): number[] {
  const done = Number(header[at.DONE!]);
  const chosen = Number(header[at.CHOSEN!]);
  const searched = order.slice(0, done);
  for (const move of searched) values[move] = Number(header[at.ROOT! + order.length + move]);
  const rank = (move: number) => Number(move !== chosen);
  searched.sort((a, b) => rank(a) - rank(b) || values[b]! - values[a]! || a - b);
  const rest = order.slice(done);
  const lost = -at.CERTAIN!;
  const isLost = searched.length > 0 && values[searched[0]!]! <= lost;
  const isBetter = isLost && rest.some((move) => values[move]! > lost);
  return isBetter ? [...rest, ...searched] : [...searched, ...rest];
}

/** Return the index of a move found by tree search with a number of playouts. */
export async function treeSearch(
  kernels: Kernels,
  root: SearchRoot,
  { count: playouts, noise, seed, method, part }: SearchLimits,
  checkpoint: Checkpoint,
): Promise<number> {
  const { state, count } = root;
  const tree = new Tree(kernels, root, playouts, method, part);
  // The end of a round may change the result, so the rounds are those of the Python package.
  for (let [first, games] = [0, FIRST_ROUND]; first < playouts; [first, games] = [first + games, 2 * games]) {
    const end = Math.min(first + games, playouts);
    if (!(await tree.grow(state, first, end, seed, checkpoint))) break;
  }
  const best = tree.best(count);
  return noise > 0 ? (noisyChoice(tree.values(count), noise, seed, PROVEN) ?? best) : best;
}

class Tree {
  private readonly memory: Memory;
  /** The size of the memory of the search, behind which the pool begins. */
  private readonly headerWords: number;
  private readonly pool: Words;
  private readonly width: number;
  private slice = 1; // playouts; one at first, since the duration of a playout is unknown

  constructor(
    private readonly kernels: Kernels,
    { count, weights, lastPlacement }: SearchRoot,
    playouts: number,
    method: string,
    private readonly part: string,
  ) {
    const patterns = part === "guided" ? kernels.manifest.patterns! : null;
    this.headerWords = patterns?.PATTERNED ?? this.constant("OWN");
    this.width = this.constant("TOTALS") + kernels.manifest.sides;
    const least = this.constant("TREE") + (count + 1) * this.width;
    const most = Math.min(MAX_WORDS, this.constant("TREE") + NODES_PER_PLAYOUT * this.width * playouts);
    const poolWords = Math.max(least, most);
    this.memory = kernels.memory(this.headerWords + poolWords);
    const { words } = this.memory;
    this.pool = words.subarray(this.headerWords, this.headerWords + poolWords);
    for (const [index, value] of Object.entries(this.layout.heads[method]!)) {
      words[Number(index)] = BigInt(value);
    }
    words[this.constant("THREADS")] = 1n;
    if (patterns) {
      words.set(weights, this.constant("OWN"));
      if (lastPlacement >= 0) words[patterns.LAST!] = BigInt(lastPlacement);
    }
    this.pool[this.constant("END")] = BigInt(this.constant("TREE") + this.width);
    this.pool[this.constant("ROOM")] = BigInt(poolWords);
    kernels.call("turn.tables", { at: this.memory.at });
  }

  /**
   * Play the playouts from `first` up to `end`; return true if the search should continue. The
   * result does not depend on the checkpoints.
   */
  async grow(
    state: Words,
    first: number,
    end: number,
    seed: number,
    checkpoint: Checkpoint,
  ): Promise<boolean> {
    const { at } = this.memory;
    const args = [end, seed, this.kernels.manifest.sides].map(number);
    const pool = { at: at + this.headerWords * 8 };
    this.pool[this.constant("NEXT")] = BigInt(first);
    while (this.next < end) {
      const startTime = performance.now();
      this.pool[this.constant("PAUSE")] = BigInt(this.next + this.slice);
      if (!this.kernels.call(`${this.part}.grow`, state, ...args, { at }, pool)) return false;
      if (this.field(this.constant("TREE"), "PROVEN") !== this.constant("OPEN")) return false;
      this.adaptSlice(performance.now() - startTime);
      await checkpoint();
    }
    return true;
  }

  /** Set the number of playouts of the next slice from the duration of the last one. */
  private adaptSlice(milliseconds: number): void {
    const fitting = Math.floor((this.slice * SLICE_TIME) / Math.max(milliseconds, 1));
    this.slice = Math.max(1, Math.min(fitting, 2 * this.slice));
  }

  /** The index of the next playout. */
  private get next(): number {
    return Number(this.pool[this.constant("NEXT")]);
  }

  /** Return the move with most visits; proven wins come first, proven losses last. */
  best(count: number): number {
    const children = this.children();
    const header = this.memory.words;
    // A single player follows the best game so far, unless payoffs are means over chance events.
    const isSingle = this.kernels.manifest.sides === 1 && header[this.constant("MAXIMISES")];
    if (isSingle && header[this.constant("BEST_LENGTH")]) {
      const first = Number(header[this.constant("BEST_PATH") + 1]);
      return (first - this.field(this.constant("TREE"), "FIRST")) / this.width;
    }
    const keys = Array.from({ length: count }, (_, move) => this.sortKey(children.get(move)));
    const compare = (a: number[], b: number[]) =>
      a.map((part, at) => part - b[at]!).find((difference) => difference) ?? 0;
    return keys.indexOf([...keys].sort(compare)[0]!);
  }

  /** Return the logarithms of the visits of moves, or a proven value. */
  values(count: number): number[] {
    const children = this.children();
    return Array.from({ length: count }, (_, move) => this.value(children.get(move)));
  }

  private value(node: number | undefined): number {
    if (node === undefined) return 0;
    const proven = this.field(node, "PROVEN");
    if (proven > this.constant("DRAWN") && this.kernels.manifest.sides > 1) {
      const player = this.field(this.constant("TREE"), "MOVER");
      return proven === player + this.constant("WON_BY") ? PROVEN : -PROVEN;
    }
    return logVisits(this.field(node, "VISITS"));
  }

  /** Return the existing children by move: wide nodes have a linked list instead of an array. */
  private children(): Map<number, number> {
    const root = this.constant("TREE");
    const first = this.field(root, "FIRST");
    const nodes = new Map<number, number>();
    // The lower half is the count; the upper half is the lock of the list.
    if (this.field(root, "MORE") % 2 ** 32 === 0) {
      const count = this.field(root, "COUNT");
      for (let move = 0; move < count; move += 1) nodes.set(move, first + move * this.width);
    } else {
      for (let node = first; node; node = this.field(node, "FURTHER")) {
        nodes.set(this.field(node, "NUMBER"), node);
      }
    }
    return nodes;
  }

  private sortKey(node: number | undefined): number[] {
    if (node === undefined) return [1, 0, 0];
    const player = this.field(this.constant("TREE"), "MOVER");
    const proven = this.field(node, "PROVEN");
    const isWon = proven === player + this.constant("WON_BY");
    const isLost = proven > this.constant("DRAWN") && !isWon;
    return [Number(!isWon), Number(isLost), -this.field(node, "VISITS")];
  }

  private field(node: number, name: string): number {
    return Number(this.pool[node + this.constant(name)]);
  }

  private get layout(): TreeLayout {
    return this.kernels.manifest.tree!;
  }

  private constant(name: string): number {
    return this.layout[name]!;
  }
}
