/** More bars than these nobody reads. */
export const barsMax = 8;

/** The rows, the largest amount first. */
export function largestFirst<Row extends { readonly charge_usd?: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted(({ charge_usd: left = 0 }, { charge_usd: right = 0 }) => right - left);
}
