export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { min: sorted[0] ?? Number.NaN, median: medianOf(sorted), max: sorted.at(-1) ?? Number.NaN };
}

/** The whole width of a spread as a share of its median. */
export function relativeWidth({ min, median, max }: Spread): number {
  return (max - min) / median;
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The least value that `share` of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Three significant digits, or whole numbers above a hundred: what such measurements are worth. */
export function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

export interface PairedDifference {
  /** The median of the pairs' ratios, second to first. */
  readonly ratio: number;
  /** A bootstrap interval of the mean ratio at 95 %. */
  readonly interval: readonly [number, number];
  /** One less the share of sign flips that part the two at least as far as the rounds did. */
  readonly confidence: number;
}

export interface Pair {
  readonly first: number;
  readonly second: number;
}

const exactPairsMax = 16;
const resamples = 10_000;

/**
 * Compares interleaved rounds pair by pair, so that a machine that turns slower for both sides is no difference. The test
 * flips the signs of the pairs' log ratios: it assumes no distribution, and is exact up to 16 pairs.
 */
export function comparePairs(pairs: readonly Pair[], random: () => number): PairedDifference {
  const logRatios = pairs.map(({ first, second }) => Math.log(second / first));
  const flips = signFlips(logRatios.length, random);
  const observed = Math.abs(meanOf(logRatios)) - Number.EPSILON;
  const asFar = flips.filter(
    (signs) => Math.abs(meanOf(logRatios.map((value, at) => value * (signs[at] ?? 1)))) >= observed,
  );
  const means = Array.from({ length: resamples }, () =>
    Math.exp(meanOf(logRatios.map(() => logRatios[Math.floor(random() * logRatios.length)] ?? 0))),
  );
  return {
    ratio: Math.exp(medianOf(logRatios)),
    interval: [percentile(means, 0.025), percentile(means, 0.975)],
    confidence: 1 - asFar.length / flips.length,
  };
}

function signFlips(count: number, random: () => number): number[][] {
  if (count > exactPairsMax) {
    return Array.from({ length: resamples }, () => Array.from({ length: count }, () => (random() < 0.5 ? -1 : 1)));
  }
  return Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (_unused, at) => ((bits >> at) & 1 ? -1 : 1)),
  );
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
