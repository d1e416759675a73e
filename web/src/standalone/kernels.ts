// The interface of compiled kernels: their entry points, arguments and results.

/** Words of 64 bits: a state, a step, a set of cells, or the results of an entry point. */
export type Words = BigInt64Array;

/** An argument of an entry point: words, a list of words, or an address in memory. */
export type Argument = Words | { list: Words } | { at: number };

export interface Manifest {
  heap: number;
  /** The number of words of a set of cells. */
  words: number;
  winners: number;
  sides: number;
  state: {
    words: number;
    planes: Record<number, number>;
    side: number;
    registers: number[];
    seats: number | null;
    history: number | null;
  };
  start: string;
  entries: Record<string, { params: string; results: string }>;
  search?: Record<string, number>;
  /** The initial values of the memory of a search, by name. */
  head?: Record<string, number>;
  /** The plies of late move reduction, by depth and index in the move order. */
  reductions?: number[];
  tree?: TreeLayout;
  /** The layout of weights of moves in the memory of a tree search. */
  patterns?: Record<string, number>;
}

/** Offsets and constants by name; `heads` are the initial values of the memory, by method. */
export type TreeLayout = Record<string, number> & {
  heads: Record<string, Record<number, number>>;
};

export interface Kernels {
  readonly manifest: Manifest;
  has(entry: string): boolean;
  /** Call an entry point and return the words of its results; null if it fails. */
  call(entry: string, ...args: Argument[]): Words | null;
  /** Return a list from the results of the last call; its address and length start at an index. */
  list(results: Words, index: number): Words;
  /** Allocate zeroed memory of at most this many words; it is valid until the next allocation. */
  memory(words: number): Memory;
}

/** A block of memory of the kernels. */
export interface Memory {
  /** The address of the block. */
  readonly at: number;
  readonly words: Words;
}
