import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import { grossKeyOf, type FeeScope } from '../fees/fee.ts';
import type { GrossByKey } from '../fees/fee-splits.ts';
import { rateUnbilled } from './rate-unbilled.ts';
import { rateUsageOverTime } from './rate-consumers.ts';
import { readLastClosedPeriod } from './sql-watermark.ts';
import { readBilledGross } from './sql-unbilled.ts';

export interface GrossQuery {
  readonly builderId: string;
  readonly scope: FeeScope;
  readonly beforeMs: number;
}

/**
 * Adds up the charges of all calls of a builder's tools before this hour, paid or not. The fees of usage rows start from
 * this gross. Invoices know the closed months. So only open months are rated, the month of `beforeMs`, and calls of
 * closed months that no invoice has billed.
 */
export async function rateGrossBefore(tx: Transaction, query: GrossQuery): Promise<GrossByKey> {
  const { builderId, scope, beforeMs } = query;
  const gross = new Map<string, Micros>();
  const add = (period: string, chargeMicros: Micros): void => {
    const key = grossKeyOf(scope, period);
    gross.set(key, micros((gross.get(key) ?? zeroMicros) + chargeMicros));
  };

  if (scope === 'lifetime') {
    const month = periodOf(beforeMs);
    for (const [period, billed] of await readBilledGross(tx, { builderId, beforePeriod: month })) add(period, billed);
    const unbilled = await rateUnbilled(tx, builderId);
    for (const { period, chargeMicros } of unbilled) if (period < month) add(period, chargeMicros);
  }
  const sinceMs = await rateSince(tx, query);
  const live = { accountId: builderId, role: 'builder', granularity: 'month' } as const;
  for await (const lines of rateUsageOverTime(tx, { ...live, sinceMs, fromMs: sinceMs, toMs: beforeMs }))
    for (const { period, chargeMicros } of lines) add(period, chargeMicros);
  return gross;
}

/** The first month that invoices do not know, or the month itself. A fee by the month needs no month before. */
async function rateSince(tx: Transaction, { scope, beforeMs }: GrossQuery): Promise<number> {
  const monthMs = periodBounds(periodOf(beforeMs)).start;
  if (scope === 'month') return monthMs;
  const lastClosed = await readLastClosedPeriod(tx);
  return lastClosed === null ? 0 : Math.min(monthMs, periodBounds(lastClosed).end);
}
