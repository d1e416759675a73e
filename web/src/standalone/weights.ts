// Learned weights of positions or moves, as the words that kernels read.

import { inflate } from "./contents";
import type { Weights } from "./contents";
import type { Words } from "./kernels";

const HALF = 2 ** 32;

/** Unpack weights; each is a sum of bytes, a number that doubles hold exactly. */
export async function unpack({ unit, width, planes }: Weights): Promise<Words> {
  const bytes = new Uint8Array(await inflate(planes));
  const count = bytes.length / width;
  const signed = new Int8Array(bytes.buffer, count * (width - 1));
  const words = new BigInt64Array(count);
  const halves = new Int32Array(words.buffer);
  for (let at = 0; at < count; at += 1) {
    let number = signed[at]!;
    for (let place = width - 2; place >= 0; place -= 1) {
      number = number * 256 + bytes[place * count + at]!;
    }
    const value = number * unit;
    halves[2 * at] = value;
    halves[2 * at + 1] = Math.floor(value / HALF);
  }
  return words;
}
