import { dayMs } from '@tollgate/kernel/durations';
import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { PeriodCharge } from '../fees/fee-splits.ts';
import type { TimedLine } from '@tollgate/pricing/rate-over-time';
import type { PassTags } from './sql-pass-tags.ts';
import { isByPass, type Granularity, type UsageQuery } from './usage-query.ts';
import type { UsageRow } from './usage-row.ts';

/** Adds up rated lines for each row of an answer, by month, since the fee may start anew each month. */
export interface RatedRows {
  add(lines: readonly TimedLine[]): void;
  /** The charges of a row, ordered by month; empty if nothing was billable. */
  of(row: UsageRow): PeriodCharge[];
}

/** `tagsOf` has the tags of a pass by its id. */
export function createRatedRows(query: UsageQuery, tagsOf: ReadonlyMap<string, PassTags>): RatedRows {
  const { granularity, groupBy, tags = [] } = query;
  const isDivided = isByPass(query);
  const charges = new Map<string, Map<string, Micros>>();
  return {
    add(lines) {
      for (const line of lines.filter(isOfRow)) addLine(line);
    },
    of(row) {
      const { startMs, toolId, consumerId, passId, tags: ofRow } = row;
      const key = keyOf([startMs, toolId, consumerId, passId ?? undefined, textOf(ofRow)]);
      const byPeriod = charges.get(key) ?? new Map<string, Micros>();
      return [...byPeriod].sort(inTimeOrder).map(([period, chargeMicros]) => ({ period, chargeMicros }));
    },
  };

  function addLine({ startMs, toolId, consumerId, passId, period, chargeMicros }: TimedLine): void {
    const key = keyOf([
      granularity && (isDivided ? startOf(granularity, startMs) : startMs),
      groupBy.has('tool_id') ? toolId : undefined,
      groupBy.has('consumer_id') ? consumerId : undefined,
      groupBy.has('pass_id') ? passId : undefined,
      textOf(tags.map((name) => tagOf(passId, name))),
    ]);
    const byPeriod = charges.get(key) ?? new Map<string, Micros>();
    charges.set(key, byPeriod.set(period, micros((byPeriod.get(period) ?? zeroMicros) + chargeMicros)));
  }

  function tagOf(passId: string | undefined, name: string): string | null {
    const ofPass = passId === undefined ? {} : (tagsOf.get(passId) ?? {});
    return Object.hasOwn(ofPass, name) ? (ofPass[name] ?? null) : null;
  }
}

/** Lines that are divided by pass are of hours; their rows may be of days or months. */
function startOf(granularity: Granularity, ms: number): number {
  if (granularity === 'month') return periodBounds(periodOf(ms)).start;
  return granularity === 'day' ? Math.floor(ms / dayMs) * dayMs : ms;
}

/** A line from before the first row starts at -Infinity. It has only moved the tiers on, and belongs to no row. */
function isOfRow({ startMs }: TimedLine): boolean {
  return Number.isFinite(startMs);
}

/** Tags may have any characters. */
function textOf(tags: readonly (string | null)[] = []): string {
  return tags.length === 0 ? '' : JSON.stringify(tags);
}

function keyOf(dimensions: readonly (string | number | undefined)[]): string {
  return dimensions.map((dimension) => dimension ?? '').join(' ');
}

function inTimeOrder([left]: readonly [string, Micros], [right]: readonly [string, Micros]): number {
  return left < right ? -1 : 1;
}
