import { addDecimals, formatDecimal, parseDecimal, zeroDecimal, type Decimal } from '@tollgate/kernel/decimal';
import { mapInTurns } from '@tollgate/runtime/timing/map-in-turns';
import type { UsageSums } from './usage-row.ts';

/** Adds up the rows, so that the rows of an answer always add up to its totals. */
export async function totalUsage(rows: readonly UsageSums[]): Promise<UsageSums> {
  const totals = { calls: 0n, successes: 0n, failures: 0n, durationMs: 0n };
  const measures = new Map<string, Decimal>();
  await mapInTurns(rows, (row) => {
    totals.calls += row.calls;
    totals.successes += row.successes;
    totals.failures += row.failures;
    totals.durationMs += row.durationMs;
    for (const [key, total] of row.measures)
      measures.set(key, addDecimals(measures.get(key) ?? zeroDecimal, parseDecimal(total)));
  });
  return { ...totals, measures: new Map([...measures].map(([key, total]) => [key, formatDecimal(total)])) };
}
