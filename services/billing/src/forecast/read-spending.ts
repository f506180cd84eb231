import type { Transaction } from '@tollgate/database/database';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { dayOf, periodBounds, periodOf } from '@tollgate/kernel/period';
import { rateUsageOverTime } from '../usage/rate-consumers.ts';
import type { Subject } from './plan-anomalies.ts';
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
  const { add, histories } = createHistories(query);
  for await (const lines of rateUsageOverTime(tx, timedUsageOf(query)))
    for (const { startMs, chargeMicros } of lines) add('', startMs, chargeMicros);
  return histories().get('') ?? emptyHistory(query);
}

export interface SpendingInParts {
  readonly account: Subject;
  /** Its tools and its passes. */
  readonly parts: readonly Subject[];
}

/** Reads the same, and what each tool and each pass had of it. */
export async function readSpendingInParts(tx: Transaction, query: SpendingQuery): Promise<SpendingInParts> {
  const [account, tools, passes] = [createHistories(query), createHistories(query), createHistories(query)];
  for await (const lines of rateUsageOverTime(tx, { ...timedUsageOf(query), byPass: true }))
    for (const { startMs, toolId, passId, chargeMicros } of lines) {
      account.add(query.accountId, startMs, chargeMicros);
      tools.add(toolId, startMs, chargeMicros);
      if (passId !== undefined) passes.add(passId, startMs, chargeMicros);
    }
  const subjectsOf = (scope: 'pass' | 'tool', { histories }: Histories): Subject[] =>
    [...histories()].map(([scopeId, history]) => ({ scope, scopeId, history }));
  const history = account.histories().get(query.accountId) ?? emptyHistory(query);
  return {
    account: { scope: 'account', scopeId: query.accountId, history },
    parts: [...subjectsOf('pass', passes), ...subjectsOf('tool', tools)],
  };
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

function emptyHistory({ untilMs }: SpendingQuery): SpendingHistory {
  const startMs = startOf(untilMs);
  return { startMs, hours: Array.from({ length: (untilMs - startMs) / hourMs }, () => 0n) };
}

type Histories = ReturnType<typeof createHistories>;

function createHistories(query: SpendingQuery) {
  const startMs = startOf(query.untilMs);
  const hoursOf = new Map<string, bigint[]>();
  return {
    /** A line from before the history starts at -Infinity, and belongs to none of its hours. */
    add(id: string, atMs: number, charge: bigint): void {
      if (!Number.isFinite(atMs)) return;
      const hours = hoursOf.get(id) ?? [...emptyHistory(query).hours];
      const place = (atMs - startMs) / hourMs;
      hours[place] = (hours[place] ?? 0n) + charge;
      hoursOf.set(id, hours);
    },
    histories: () => new Map([...hoursOf].map(([id, hours]) => [id, { startMs, hours }])),
  };
}
