import { addDecimals, formatDecimal, parseDecimal } from '@tollgate/kernel/decimal';
import type { UsageSums } from './usage-row.ts';

const nothing: UsageSums = { calls: 0n, successes: 0n, failures: 0n, durationMs: 0n, measures: new Map() };

/** Adds up the rows, so that the rows of an answer always add up to its totals. */
export function totalUsage(rows: readonly UsageSums[]): UsageSums {
  return rows.reduce(addSums, nothing);
}

function addSums(left: UsageSums, right: UsageSums): UsageSums {
  return {
    calls: left.calls + right.calls,
    successes: left.successes + right.successes,
    failures: left.failures + right.failures,
    durationMs: left.durationMs + right.durationMs,
    measures: right.measures.size === 0 ? left.measures : addMeasures(left.measures, right.measures),
  };
}

function addMeasures(left: UsageSums['measures'], right: UsageSums['measures']): UsageSums['measures'] {
  const sums = new Map(left);
  for (const [key, total] of right) {
    sums.set(key, formatDecimal(addDecimals(parseDecimal(sums.get(key) ?? '0'), parseDecimal(total))));
  }
  return sums;
}
