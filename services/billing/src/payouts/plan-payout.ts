import { micros, sumMicros, type Micros } from '@tollgate/kernel/money';
import { feeOn } from '../fees/fee.ts';
import type { GrossByKey } from '../fees/fee-splits.ts';
import { centsToMicros, floorToCents } from '@tollgate/kernel/whole-cents';
import { payoutIdOf, type Payout, type Remainder } from './payout.ts';

/** The books of one builder. */
export interface BuilderBalances {
  /** Owed, and in no transfer. Below 0 after refunds. */
  readonly payableMicros: Micros;
  readonly inTransitMicros: Micros;
  /** The net of failed payouts. Their money is payable again, and stays reserved for them. */
  readonly failedNetCents: bigint;
  /** The fees of all payouts of any status. */
  readonly feeCents: bigint;
}

export interface PayoutFacts {
  readonly builderId: string;
  readonly period: string;
  readonly balances: BuilderBalances;
  /** The collected money of later months. It waits for their payout days, whenever this one comes. */
  readonly later: Remainder;
  readonly gross: GrossByKey;
  /** The part of the payable money that stays for now. Whole cents of it are carried to the next payout. */
  readonly holdMicros: Micros;
  readonly minimumMicros: Micros;
  readonly nowMs: number;
}

/**
 * Plans the payout of a period. It takes all payable money of months up to its own that no other payout has and that is not
 * held, in whole cents, and all fees taken from it, in whole cents too. The rest of each, less than a cent, waits for the next payout. Undefined if the money is
 * below the minimum.
 */
export function planPayout(facts: PayoutFacts): Payout | undefined {
  const { builderId, period, nowMs, minimumMicros, holdMicros } = facts;
  const owed = notPaidOut(facts);
  const { netCents: allCents, feeCents, left } = toPayoutCents(owed);
  const freeMicros = micros(owed.earningMicros - holdMicros);
  const netCents = floorToCents(freeMicros);
  if (freeMicros < minimumMicros || netCents < 1n) return undefined;
  return {
    id: payoutIdOf(builderId, period),
    builderId,
    period,
    status: 'scheduled',
    netCents,
    heldCents: allCents - netCents,
    feeCents,
    left,
    schedules: 1,
    failures: 0,
    failingSinceMs: null,
    dueAtMs: nowMs,
    createdAtMs: nowMs,
    paidAtMs: null,
  };
}

/**
 * Money that is collected and in no payout, and the fees taken from it, without those of later months. Both include the
 * remainders of earlier payouts.
 */
export function notPaidOut({ balances, gross, later }: Pick<PayoutFacts, 'balances' | 'gross' | 'later'>): Remainder {
  const taken = sumMicros([...gross.values()].map(feeOn));
  return {
    earningMicros: micros(balances.payableMicros - centsToMicros(balances.failedNetCents) - later.earningMicros),
    feeMicros: micros(taken - centsToMicros(balances.feeCents) - later.feeMicros),
  };
}

export interface PayoutCents {
  readonly netCents: bigint;
  readonly feeCents: bigint;
  readonly left: Remainder;
}

/** Rounds earning and fee down to whole cents, each by itself. The payout shows their sum as its amount. */
export function toPayoutCents({ earningMicros, feeMicros }: Remainder): PayoutCents {
  const netCents = floorToCents(earningMicros);
  const feeCents = floorToCents(feeMicros);
  const left = {
    earningMicros: micros(earningMicros - centsToMicros(netCents)),
    feeMicros: micros(feeMicros - centsToMicros(feeCents)),
  };
  return { netCents, feeCents, left };
}
