// What the file tells of its game: all that its kernels do not know.

import type { Position } from "../protocol";

export interface Contents {
  title: string;
  players: string[];
  colours: Record<string, string>;
  drops: Position["drops"];
  scores: Pick<Position, "score_shown" | "point" | "shows_dice">;
  /** By plane: what people call its pieces, and their symbol. */
  pieces: { piece: string; symbol: string }[];
  /** The planes that a state has, in their order. */
  kept: number[];
  numbers: Numbers[];
  /** The layout of stacks; null if a cell holds one piece. */
  stacks: Stacks | null;
  /** The reasons of the ends. */
  ends: string[];
  /** True if a single player gets points. */
  pays: boolean;
  /** The first group of what chance does. */
  chance: number;
  steps: Steps;
  /** The levels, and at the end full strength. */
  levels: Level[];
  /** The weights of a learned evaluation that levels use, packed; none if they use the rules. */
  weights: string;
  table: Position["table"];
  drawing: Parts;
  record: [head: string, seed: string];
}

/** A number at each cell, as sets in registers from one on: of a cell `low` and bits above it. */
export interface Numbers {
  name: string;
  first: number;
  bits: number;
  low: number;
}

/**
 * The stacks of pieces. Level n of `levels`, from 0, has the code of the piece n + 1 places below
 * the upper one, an index into `codes`, which are planes.
 */
export interface Stacks {
  height: Numbers;
  levels: Numbers[];
  codes: number[];
}

/** Steps by three numbers each, two words and a number, and their texts by that number. */
export interface Steps {
  words: number[];
  texts: string[][];
  takes: number[];
}

/**
 * What a level may look at: positions, or random games; by one of some counts. The noise of its
 * choice is in thousandths.
 */
export type Level = { noise: number; method: string } & ({ nodes: number[] } | { playouts: number[] });

/** A number at each cell that the picture shows, by the first of its registers. */
export interface Counter {
  first: number;
  form: "text" | "seeds" | "stack" | "pips";
}

/** The pieces of a plane that are drawn as one; a joint has two cells and the number of its link. */
export interface Joined {
  plane: number;
  form: "pair" | "row" | "column" | "group" | "large";
  joints: [number, number, number][];
  links: string[];
  unit: number;
}

/** A register next to the board: a figure for each value, its text, or seeds in a store. */
export interface TrayItem {
  slot: number;
  form: "die" | "kind" | "text" | "seeds";
  at: [number, number];
  figures: string[];
  names: string[];
  text: string[];
}

/**
 * The picture in parts; of a number the text before and behind it, by plane, at last of none.
 * `steps` lead from a piece of a stack to the next one, by form of cell; at `most` so many are drawn.
 */
export interface Parts {
  head: string;
  box: [number, number, number, number];
  ground: string;
  dots: string;
  labels: string;
  forms: number[];
  figures: string[][];
  steps: [number, number][];
  counters: Counter[];
  most: number;
  piles: string[];
  pips: string[][];
  joined: Joined[];
  tray: TrayItem[];
  numbers: string[][];
  counted: string[];
  area: string;
  point: string;
  cells: { name: string; at: [number, number]; outline: [number, number][] }[];
}

/** The bytes of a text that was deflated and written in base64. */
export async function inflated(text: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}
