// The JSON data of an exported file: names, texts and pictures that its kernels do not contain.

import type { Position } from "../protocol";

export interface Contents {
  title: string;
  players: string[];
  colours: Record<string, string>;
  drops: Position["drops"];
  scores: Pick<Position, "score_shown" | "point" | "shows_dice">;
  /** The name and the symbol of the pieces of each plane. */
  pieces: { piece: string; symbol: string }[];
  /** The planes in a state, in order. */
  planes: number[];
  numbers: Numbers[];
  /** The layout of stacks; null if a cell holds one piece. */
  stacks: Stacks | null;
  /** The reason of each end of the game. */
  end_reasons: string[];
  /** True if a single player gets a payoff. */
  has_payoff: boolean;
  /** The first group of chance moves. */
  first_chance_group: number;
  /** The groups with moves that cover a tile. */
  tile_groups: number[];
  steps: Steps;
  /** The levels of play, and full strength as the last one. */
  levels: Level[];
  /** The learned weights of positions or moves; empty if all levels search by the rules. */
  weights: Weights;
  table: Position["table"];
  drawing: PictureParts;
  record: [head: string, seed: string];
}

/**
 * Compressed numbers of `width` bytes in a unit: the low bytes of all of them come first. The last
 * bytes have a sign.
 */
export interface Weights {
  unit: number;
  width: number;
  planes: string;
  larger: LargerPatterns | null;
}

/** The larger patterns of moves: each of them and its images have one weight. */
export interface LargerPatterns {
  /** The side and the code of each pattern as a number, less the one before. */
  keys: number[];
  weights: number[];
  /** The bit position of the contents of each cell; true if the sides are exchanged. */
  images: [shifts: number[], exchanges: boolean][];
}

/** A number at each cell, in registers that are sets of cells, one for each bit. */
export interface Numbers {
  name: string;
  /** The register of the lowest bit. */
  first: number;
  bits: number;
  /** The least value, which is added to the bits. */
  low: number;
}

/** The stacks of pieces. */
export interface Stacks {
  height: Numbers;
  /** The code of the piece n + 1 places below the top piece, by n from 0. */
  levels: Numbers[];
  /** The plane of each code. */
  codes: number[];
}

export interface Steps {
  /** Three numbers for each step: two words and the step number. */
  words: number[];
  /** The parts of the notation by column and step number. */
  texts: string[][];
  /** The groups with moves that mark captures. */
  capture_groups: number[];
}

/**
 * The budget of a level: positions or playouts, one count of which is drawn. The noise of its
 * choice is in thousandths. `part` is the part of the kernels that searches.
 */
export type Level = { noise: number; method: string; part: string } & (
  | { nodes: number[] }
  | { playouts: number[] }
);

/** A number at each cell that the picture shows. */
export interface Counter {
  /** The register of its lowest bit. */
  first: number;
  form: "text" | "seeds" | "stack" | "pips";
}

/** The pieces of a plane that are drawn as one. */
export interface JoinedPieces {
  plane: number;
  form: "pair" | "row" | "column" | "group" | "large";
  /** Two cells and the index of a link. */
  joints: [number, number, number][];
  links: string[];
  unit: number;
}

/** A register shown next to the board. */
export interface TrayItem {
  slot: number;
  form: "die" | "kind" | "text" | "seeds";
  at: [number, number];
  /** A figure for each value. */
  figures: string[];
  /** A name for each value. */
  names: string[];
  /** The elements before and after the text. */
  text: string[];
}

/** The parts of the picture, as SVG elements. */
export interface PictureParts {
  head: string;
  box: [number, number, number, number];
  background: string;
  dots: string;
  labels: string;
  /** The form of each cell. */
  forms: number[];
  /** The figures by form of cell and plane. */
  figures: string[][];
  /** The distance from a piece of a stack to the next one, by form of cell. */
  stack_steps: [number, number][];
  counters: Counter[];
  /** The largest number of pieces drawn in a stack. */
  max_stacked: number;
  /** The piles of seeds by their size. */
  piles: string[];
  /** The pips by plane and number. */
  pips: string[][];
  joined: JoinedPieces[];
  tray: TrayItem[];
  /** The elements before and after a number, by plane; the last one is for an empty cell. */
  number_labels: string[][];
  /** The elements before and after the number of seeds. */
  seed_label: string[];
  /** The attributes of a marked area of the last move; empty if points are marked instead. */
  last_area: string;
  /** The mark of a cell of the last move. */
  last_point: string;
  cells: { name: string; at: [number, number]; outline: [number, number][] }[];
}

/** Decode base64 and decompress the bytes. */
export async function inflate(text: string): Promise<ArrayBuffer> {
  const compressed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}
