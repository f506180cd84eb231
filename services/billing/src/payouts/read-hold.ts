import { micros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { planHold, type YoungBuilderSettings } from './plan-hold.ts';
import { readHolds } from './sql-read-builder-balances.ts';

export interface HoldQuery {
  readonly builderIds: readonly string[];
  readonly young: YoungBuilderSettings | undefined;
  readonly nowMs: number;
}

/** Reads how much of each builder's payable money no payout takes now. The gross of the builders must be locked. */
export async function readHold(tx: Transaction, { builderIds, young, nowMs }: HoldQuery) {
  const rowOf = await readHolds(tx, builderIds);
  return function holdOf(builderId: string, payableMicros: Micros): Micros {
    const { firstEarnedAtMs, disputedMicros, paidOutMicros } = rowOf(builderId);
    const earnedMicros = micros(payableMicros + paidOutMicros);
    return planHold({ firstEarnedAtMs, earnedMicros, disputedMicros, payableMicros }, young, nowMs);
  };
}

/** Reads how much of a builder's payable money a payout may take now. */
export async function readFree(
  tx: Transaction,
  payableMicros: Micros,
  { builderId, ...at }: Omit<HoldQuery, 'builderIds'> & { readonly builderId: string },
): Promise<Micros> {
  const holdOf = await readHold(tx, { ...at, builderIds: [builderId] });
  return micros(payableMicros - holdOf(builderId, payableMicros));
}
