// The choice of a move by values with noise, as in the Python package.

const WORD = 2n ** 64n - 1n;
const [TERMS, BITS] = [4n, 16n]; // a sum of four uniform numbers is nearly normal
const DEVIATION = 37_837n; // the standard deviation of this sum
const PROVEN_MARGIN = 4n; // mean deviations between a proven result and the estimates

/**
 * Return the index of the move with the greatest value after noise; null if no value is known. The
 * noise is in thousandths of the mean deviation. Values from `proven` on are proven results.
 */
export function noisyChoice(
  values: readonly (number | null)[],
  noise: number,
  seed: number,
  proven: number,
): number | null {
  const knownValues = values.filter((value) => value !== null);
  const sizes = knownValues.filter((value) => Math.abs(value) < proven).map(BigInt);
  const estimates = sizes.length > 0 ? sizes : [0n];
  const count = BigInt(estimates.length);
  const total = sum(estimates);
  const size = count * count;
  const deviation = largest([sum(estimates.map((one) => abs(count * one - total))), size]);
  const highest = size * largest(estimates) + PROVEN_MARGIN * deviation;
  const lowest = -size * largest(estimates.map((one) => -one)) - PROVEN_MARGIN * deviation;
  const score = (value: number, move: number): bigint => {
    const exact = value >= proven ? highest : value <= -proven ? lowest : size * BigInt(value);
    return 1000n * DEVIATION * exact + deviation * BigInt(noise) * normalNoise(BigInt(seed), move);
  };
  let best: { move: number; score: bigint } | null = null;
  values.forEach((value, move) => {
    if (value === null) return;
    const noisy = score(value, move);
    if (best === null || noisy > best.score) best = { move, score: noisy };
  });
  return (best as { move: number } | null)?.move ?? null;
}

/** Return 256 times the binary logarithm of the visits plus one, by linear interpolation. */
export function logVisits(visits: number): number {
  const exponent = 31 - Math.clz32(visits + 1);
  return 256 * (exponent - 1) + Math.floor(((visits + 1) * 256) / 2 ** exponent);
}

function normalNoise(seed: bigint, move: number): bigint {
  const drawn = mix((mix(seed & WORD) + mix(BigInt(move) + 1n)) & WORD);
  const mask = 2n ** BITS - 1n;
  const parts = Array.from({ length: Number(TERMS) }, (_, part) => BigInt(part));
  return sum(parts.map((part) => (drawn >> (BITS * part)) & mask)) - (TERMS / 2n) * mask;
}

/** Compute the output function of SplitMix64. */
export function mix(word: bigint): bigint {
  let mixed = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return mixed ^ (mixed >> 31n);
}

function sum(numbers: readonly bigint[]): bigint {
  return numbers.reduce((total, one) => total + one, 0n);
}

function largest(numbers: readonly bigint[]): bigint {
  return numbers.reduce((most, one) => (one > most ? one : most));
}

function abs(number: bigint): bigint {
  return number < 0n ? -number : number;
}
