import type { Transaction } from '@tollgate/database/database';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { dayOf, periodBounds, periodOf } from '@tollgate/kernel/period';
import type { TimedLine } from '@tollgate/pricing/rate-over-time';
import { rateUsageOverTime } from '../usage/rate-consumers.ts';
import { historyDaysMax } from './plan-forecast.ts';
import type { SpendingHistory } from './spending-history.ts';

export interface SpendingQuery {
  readonly accountId: string;
  /** A full hour, which ends the history. */
  readonly untilMs: number;
}

/**
 * Reads what an account spent in each of the last hours, as its invoices rate them: one range of its rollups. It begins a day
 * before the days that a forecast learns from, since the day of the first call is none of them.
 */
export async function readSpending(tx: Transaction, query: SpendingQuery): Promise<SpendingHistory> {
  const startMs = startOf(query.untilMs);
  const hours = Array.from({ length: (query.untilMs - startMs) / hourMs }, () => 0n);
  for await (const lines of rateUsageOverTime(tx, timedUsageOf(query)))
    for (const line of lines.filter(isOfHistory)) {
      const place = (line.startMs - startMs) / hourMs;
      hours[place] = (hours[place] ?? 0n) + line.chargeMicros;
    }
  return { startMs, hours };
}

/** Tiers count from the beginning of a month, so the whole month is read in which the history begins. */
function timedUsageOf({ accountId, untilMs }: SpendingQuery) {
  const fromMs = startOf(untilMs);
  const sinceMs = periodBounds(periodOf(fromMs)).start;
  return { accountId, role: 'consumer', granularity: 'hour', sinceMs, fromMs, toMs: untilMs } as const;
}

function startOf(untilMs: number): number {
  return dayOf(untilMs) - (historyDaysMax + 1) * dayMs;
}

/** A line from before the history starts at -Infinity: it has only moved the tiers on. */
function isOfHistory({ startMs }: TimedLine): boolean {
  return Number.isFinite(startMs);
}
