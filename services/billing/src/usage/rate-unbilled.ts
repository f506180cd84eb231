import { periodBounds } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import { createChargeSums, type ChargeSum, listUnbilledMonths, sumBilledOf, sumBilledSince } from './sql-unbilled.ts';
import { rateConsumers, rateUsageOverTime } from './rate-consumers.ts';

/**
 * Rates the calls of a builder's tools in closed months that no invoice has billed. They were counted late, or their
 * consumer's invoice could not be made.
 */
export async function rateUnbilled(tx: Transaction, builderId: string): Promise<ChargeSum[]> {
  const months = await listUnbilledMonths(tx);
  if (months.length === 0) return [];
  const sums = createChargeSums();
  for (const lines of (await rateConsumers(tx, months)).values())
    for (const line of lines) if (line.builderId === builderId) sums.add(line); // the rest is what the builder consumes
  for (const charge of await sumBilledOf(tx, months)) sums.subtract(charge);
  return sums.list();
}

export interface OpenMonths {
  readonly builderId: string;
  /** Null if no period was ever closed. */
  readonly lastClosed: string | null;
  readonly untilMs: number;
}

/** Rates the calls of a builder's tools in open months. A close that is under way may have billed some of them. */
export async function rateOpenMonths(
  tx: Transaction,
  { builderId, lastClosed, untilMs }: OpenMonths,
): Promise<ChargeSum[]> {
  const sinceMs = lastClosed === null ? 0 : periodBounds(lastClosed).end;
  if (sinceMs >= untilMs) return [];
  const query = { accountId: builderId, role: 'builder', granularity: 'month' } as const;
  const sums = createChargeSums();
  for await (const lines of rateUsageOverTime(tx, { ...query, sinceMs, fromMs: sinceMs, toMs: untilMs }))
    for (const line of lines) sums.add(line);
  for (const charge of await sumBilledSince(tx, lastClosed)) sums.subtract(charge);
  return sums.list();
}
