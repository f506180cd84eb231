import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { PeriodCharge } from '../fees/fee-splits.ts';
import type { TimedLine } from '@tollgate/pricing/rate-over-time';
import type { UsageQuery } from './usage-query.ts';
import type { UsageRow } from './usage-row.ts';

/** Adds up rated lines for each row of an answer, by month, since the fee may start anew each month. */
export interface RatedRows {
  add(lines: readonly TimedLine[]): void;
  /** The charges of a row, ordered by month; empty if nothing was billable. */
  of(row: UsageRow): PeriodCharge[];
}

export function createRatedRows({ granularity, groupBy }: UsageQuery): RatedRows {
  const charges = new Map<string, Map<string, Micros>>();
  return {
    add(lines) {
      for (const line of lines.filter(isOfRow)) addLine(line);
    },
    of(row) {
      const byPeriod = charges.get(keyOf([row.startMs, row.toolId, row.consumerId])) ?? new Map<string, Micros>();
      return [...byPeriod].sort(inTimeOrder).map(([period, chargeMicros]) => ({ period, chargeMicros }));
    },
  };

  function addLine({ startMs, toolId, consumerId, period, chargeMicros }: TimedLine): void {
    const key = keyOf([
      granularity && startMs,
      groupBy.has('tool_id') ? toolId : undefined,
      groupBy.has('consumer_id') ? consumerId : undefined,
    ]);
    const byPeriod = charges.get(key) ?? new Map<string, Micros>();
    charges.set(key, byPeriod.set(period, micros((byPeriod.get(period) ?? zeroMicros) + chargeMicros)));
  }
}

/** A line from before the first row starts at -Infinity. It has only moved the tiers on, and belongs to no row. */
function isOfRow({ startMs }: TimedLine): boolean {
  return Number.isFinite(startMs);
}

function keyOf(dimensions: readonly (string | number | undefined)[]): string {
  return dimensions.map((dimension) => dimension ?? '').join(' ');
}

function inTimeOrder([left]: readonly [string, Micros], [right]: readonly [string, Micros]): number {
  return left < right ? -1 : 1;
}
