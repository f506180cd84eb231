/** One: ratios are whole billionths, so that money meets no float. */
export const one = 1_000_000_000n;

/** The value below which so many percent of the values lie. 0 of no values. */
export function quantileOf(values: readonly bigint[], percent: number): bigint {
  return sorted(values)[Math.floor(((values.length - 1) * percent) / 100)] ?? 0n;
}

/** The middle value, or what lies between the middle two. 0 of no values. */
export function medianOf(values: readonly bigint[]): bigint {
  const inOrder = sorted(values);
  const half = inOrder.length >> 1;
  const [below = 0n, above = 0n] = [inOrder[inOrder.length - half - 1], inOrder[half]];
  return (below + above) / 2n;
}

/** The usual distance from the median, as a standard deviation: 1.4826 of the median distance. A few wild values change it little. */
export function spreadOf(values: readonly bigint[]): bigint {
  const median = medianOf(values);
  return (medianOf(values.map((value) => distance(value, median))) * 14_826n) / 10_000n;
}

/** The mean, to which a wild value adds no more than one at the edge of the usual would. 0 of no values. */
export function usualMeanOf(values: readonly bigint[]): bigint {
  if (values.length === 0) return 0n;
  const [median, spread] = [medianOf(values), spreadOf(values)];
  const top = median + 3n * (spread > median / 10n ? spread : median / 10n);
  if (top === 0n) return sumOf(values) / BigInt(values.length); // mostly 0, which says nothing of what is wild
  return sumOf(values.map((value) => (value > top ? top : value))) / BigInt(values.length);
}

export function sumOf(values: readonly bigint[]): bigint {
  let sum = 0n;
  for (const value of values) sum += value;
  return sum;
}

function sorted(values: readonly bigint[]): bigint[] {
  return values.toSorted((left, right) => (left < right ? -1 : Number(left > right)));
}

function distance(left: bigint, right: bigint): bigint {
  return left > right ? left - right : right - left;
}
