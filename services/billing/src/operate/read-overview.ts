import type { Database } from '@tollgate/database/database';
import { sumMicros, micros, type Micros } from '@tollgate/kernel/money';
import { dayOf, periodBounds, periodOf } from '@tollgate/kernel/period';
import { sumFees } from '../audit/sql-sum-ledger.ts';
import { readMoneyStatus, type MoneyStatus, type MoneyStatusQuery } from './read-money-status.ts';
import { readOldestDueWork, type OldestDueWork } from './sql-money-figures.ts';
import { readWaitingDeadLetters, sumCalls, type CallsSince, type WaitingDeadLetters } from './sql-overview.ts';

export interface Overview {
  readonly status: MoneyStatus;
  readonly dayStartMs: number;
  readonly period: string;
  readonly calls: { readonly month: CallsSince; readonly day: CallsSince };
  readonly collectedMicros: Micros;
  readonly platformFeesMicros: Micros;
  readonly oldestDueWork: OldestDueWork;
  readonly deadLetters: WaitingDeadLetters;
}

export interface OverviewQuery extends MoneyStatusQuery {
  readonly payoutDelayMs: number;
}

/** Only reads, as billing_worker. */
export async function readOverview(database: Database, query: OverviewQuery): Promise<Overview> {
  const { nowMs } = query;
  const period = periodOf(nowMs);
  const dayStartMs = dayOf(nowMs);
  const { start: monthMs, end: endMs } = periodBounds(period);
  const fees = await sumFees(database, { from: period, to: period });
  const debits = (wanted: string) =>
    sumMicros(fees.filter(({ of }) => of === wanted).map(({ amountMicros }) => amountMicros));
  return {
    status: await readMoneyStatus(database, query),
    dayStartMs,
    period,
    calls: await sumCalls(database, { monthMs, dayMs: dayStartMs, endMs }),
    collectedMicros: debits('collected'),
    platformFeesMicros: micros(0n - debits('platform_fees')),
    oldestDueWork: await readOldestDueWork(database, query),
    deadLetters: await readWaitingDeadLetters(database),
  };
}
