// The choice of a move by values with noise, as the package has it.

const WORD = 2n ** 64n - 1n;
const [PARTS, BITS] = [4n, 16n]; // a sum of four uniform numbers is nearly normal
const DEVIATION = 37_837n; // its standard deviation
const LEAD = 4n; // a sure result differs from the estimates by so many times their mean deviation

/**
 * The number of the move with the greatest value after noise, in thousandths of the mean deviation;
 * null if no value is known. Values from `sure` on are of sure results.
 */
export function noisyChoice(
  values: readonly (number | null)[],
  noise: number,
  seed: number,
  sure: number,
): number | null {
  const known = values.filter((value) => value !== null);
  const sizes = known.filter((value) => Math.abs(value) < sure).map(BigInt);
  const estimates = sizes.length > 0 ? sizes : [0n];
  const count = BigInt(estimates.length);
  const total = sum(estimates);
  const size = count * count;
  const deviation = largest([sum(estimates.map((one) => magnitude(count * one - total))), size]);
  const most = size * largest(estimates) + LEAD * deviation;
  const least = -size * largest(estimates.map((one) => -one)) - LEAD * deviation;
  const worth = (value: number, move: number): bigint => {
    const plain = value >= sure ? most : value <= -sure ? least : size * BigInt(value);
    return 1000n * DEVIATION * plain + deviation * BigInt(noise) * normal(BigInt(seed), move);
  };
  let best: { move: number; worth: bigint } | null = null;
  values.forEach((value, move) => {
    if (value === null) return;
    const own = worth(value, move);
    if (best === null || own > best.worth) best = { move, worth: own };
  });
  return (best as { move: number } | null)?.move ?? null;
}

/** 256 times the logarithm of the visits and one more to base 2, in whole numbers. */
export function logVisits(visits: number): number {
  const exponent = 31 - Math.clz32(visits + 1);
  return 256 * (exponent - 1) + Math.floor(((visits + 1) * 256) / 2 ** exponent);
}

function normal(seed: bigint, move: number): bigint {
  const drawn = mix((mix(seed & WORD) + mix(BigInt(move) + 1n)) & WORD);
  const mask = 2n ** BITS - 1n;
  const parts = Array.from({ length: Number(PARTS) }, (_, part) => BigInt(part));
  return sum(parts.map((part) => (drawn >> (BITS * part)) & mask)) - (PARTS / 2n) * mask;
}

/** The output function of SplitMix64. */
function mix(word: bigint): bigint {
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

function magnitude(number: bigint): bigint {
  return number < 0n ? -number : number;
}
