// The rules as code: what its entry points take and give, without how it is run.

/** Words of 64 bits: a state, a step, a set of cells, or what an entry point gives. */
export type Words = BigInt64Array;

/** An argument: words as they are, a list of words, or the address of memory. */
export type Argument = Words | { list: Words } | { at: number };

export interface Manifest {
  heap: number;
  /** The words of a set of cells. */
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
  /** The part of the kernels that searches by alpha-beta. */
  part?: string;
  /** What the memory of a search is told first, by name. */
  head?: Record<string, number>;
  /** The plies of late move reduction, by depth and place in the order. */
  reductions?: number[];
  tree?: TreeLayout;
}

/** Places and numbers by name; `heads` are what a memory is told first, by the kind of search. */
export type TreeLayout = Record<string, number> & {
  heads: Record<string, Record<number, number>>;
};

export interface Kernels {
  readonly manifest: Manifest;
  has(entry: string): boolean;
  /** What an entry point gives, word by word; null where it fails. */
  call(entry: string, ...args: Argument[]): Words | null;
  /** A list that the last call gave: where it stands is at a place of what was given. */
  list(given: Words, place: number): Words;
  /** Memory of zeros of so many words, which the next call of this takes back, or fewer. */
  memory(words: number): Memory;
}

/** Memory that code reads and writes, from an address on. */
export interface Memory {
  readonly at: number;
  readonly words: Words;
}
