import { micros, sumMicros, type Micros } from '@tollgate/kernel/money';
import { feeOn } from '../fees/fee.ts';
import type { GrossByKey } from '../fees/fee-splits.ts';
import { centsToMicros, floorToCents } from '@tollgate/kernel/whole-cents';
import { payoutIdOf, type Payout, type Remainder } from './payout.ts';

/** What stands in the books for one builder. */
export interface BuilderBalances {
  /** What is owed and is in no transfer; below 0 after refunds. */
  readonly payableMicros: Micros;
  readonly inTransitMicros: Micros;
  /** Of payouts that failed: their money is payable again, and theirs. */
  readonly failedNetCents: bigint;
  /** Over all payouts there ever were. */
  readonly feeCents: bigint;
}

export interface PayoutFacts {
  readonly builderId: string;
  readonly period: string;
  readonly balances: BuilderBalances;
  readonly gross: GrossByKey;
  readonly minimumMicros: Micros;
  readonly nowMs: number;
}

/**
 * The payout of a period: all that is payable and in no other payout, in whole cents. The fee is what was taken of these
 * earnings, in whole cents too. What is less than a cent waits for the next, of both. Undefined: there is too little.
 */
export function planPayout({ builderId, period, nowMs, minimumMicros, ...books }: PayoutFacts): Payout | undefined {
  const owed = notPaidOut(books);
  const { netCents, feeCents, left } = toPayoutCents(owed);
  if (owed.earningMicros < minimumMicros || netCents < 1n) return undefined;
  return {
    id: payoutIdOf(builderId, period),
    builderId,
    period,
    status: 'scheduled',
    netCents,
    feeCents,
    left,
    schedules: 1,
    failures: 0,
    dueAtMs: nowMs,
    createdAtMs: nowMs,
    paidAtMs: null,
  };
}

/** Earned, collected and in no payout yet, and the fees taken of it: the remainders of earlier payouts are in both. */
export function notPaidOut({ balances, gross }: Pick<PayoutFacts, 'balances' | 'gross'>): Remainder {
  const taken = sumMicros([...gross.values()].map(feeOn));
  return {
    earningMicros: micros(balances.payableMicros - centsToMicros(balances.failedNetCents)),
    feeMicros: micros(taken - centsToMicros(balances.feeCents)),
  };
}

export interface PayoutCents {
  readonly netCents: bigint;
  readonly feeCents: bigint;
  readonly left: Remainder;
}

/** Both in whole cents, rounded down; what is paid out or pending is their sum. */
export function toPayoutCents({ earningMicros, feeMicros }: Remainder): PayoutCents {
  const netCents = floorToCents(earningMicros);
  const feeCents = floorToCents(feeMicros);
  const left = {
    earningMicros: micros(earningMicros - centsToMicros(netCents)),
    feeMicros: micros(feeMicros - centsToMicros(feeCents)),
  };
  return { netCents, feeCents, left };
}
