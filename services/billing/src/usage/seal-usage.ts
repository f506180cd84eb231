import { dayMs } from '@tollgate/kernel/durations';
import { periodBounds } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import { insertUsageSeals, listUnsealed, readToolIds } from './sql-usage-seals.ts';

export interface SealedClose {
  readonly period: string;
  /** The first month whose late usage this close bills. */
  readonly firstPeriod: string;
}

/**
 * Seals the rollups of a month that closes, and once more those of months before it of which calls were counted since. Each
 * statement reads some days of some tools, so that none lasts long.
 */
export async function sealUsage(tx: Transaction, { period, firstPeriod }: SealedClose): Promise<void> {
  for await (const toolIds of readToolIds(tx)) await sealMonth(tx, { period, sealedIn: period, toolIds });
  for (const late of await listUnsealed(tx, { firstPeriod, beforePeriod: period }))
    await sealMonth(tx, { period: late.period, sealedIn: period, toolIds: [late.toolId] });
}

const partMs = 8 * dayMs;

interface SealedMonth {
  readonly period: string;
  readonly sealedIn: string;
  readonly toolIds: readonly string[];
}

async function sealMonth(tx: Transaction, month: SealedMonth): Promise<void> {
  const { start, end } = periodBounds(month.period);
  for (let sinceMs: number = start; sinceMs < end; sinceMs += partMs)
    await insertUsageSeals(tx, { ...month, sinceMs, untilMs: Math.min(sinceMs + partMs, end) });
}
