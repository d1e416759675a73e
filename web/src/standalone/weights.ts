// Learned weights of positions or moves, as the words that kernels read.

import { inflate } from "./contents";
import type { LargerPatterns, Weights } from "./contents";
import type { Manifest, Words } from "./kernels";
import { mix } from "./noise";

const HALF = 2 ** 32;
const EXCHANGED = [0, 2, 1, 3]; // contents of a cell with the sides exchanged

/** Return the words of weights, with the hash table of larger patterns if there are any. */
export async function allWeights(weights: Weights, { patterns, tree }: Manifest): Promise<Words> {
  const words = await unpack(weights);
  if (!weights.larger) return words;
  const all = new BigInt64Array(patterns!.PATTERNED! - tree!.OWN!);
  all.set(words);
  writeLarger(all.subarray(patterns!.LARGER! - tree!.OWN!), weights.larger, patterns!);
  return all;
}

/** Write a weight for each image of each pattern into the slots of a hash table. */
function writeLarger(table: Words, larger: LargerPatterns, at: Record<string, number>): void {
  const slots = at.SLOTS!;
  const sideUnit = 2 ** at.PATTERN_BITS!;
  const images = larger.images.map(([shifts, exchanges]) => ({
    units: shifts.map((shift) => 2 ** shift),
    exchanges,
  }));
  let pattern = 0;
  larger.keys.forEach((difference, index) => {
    pattern += difference;
    const weight = BigInt(larger.weights[index]!);
    const isSecond = pattern >= sideUnit;
    const contents = contentsOf(pattern % sideUnit, images[0]!.units.length);
    const keys = images.map(({ units, exchanges }) => {
      const seen = exchanges ? contents.map((content) => EXCHANGED[content]!) : contents;
      const code = seen.reduce((sum, content, cell) => sum + content * units[cell]!, 0);
      return (isSecond !== exchanges ? sideUnit : 0) + code + 1;
    });
    for (const key of [...new Set(keys)].sort((one, other) => one - other)) {
      let slot = Number((mix(BigInt(key)) * BigInt(slots)) >> 64n);
      while (table[2 * slot] !== 0n) slot = (slot + 1) % slots;
      table[2 * slot] = BigInt(key);
      table[2 * slot + 1] = weight;
    }
  });
}

/** Return the contents of the cells of a code, lowest first. */
function contentsOf(code: number, count: number): number[] {
  let rest = code;
  return Array.from({ length: count }, () => {
    const content = rest % 4;
    rest = Math.floor(rest / 4);
    return content;
  });
}

/** Unpack weights; each is a sum of bytes, a number that doubles hold exactly. */
async function unpack({ unit, width, planes }: Weights): Promise<Words> {
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
