import { micros, type Micros } from '@tollgate/kernel/money';
import type { ChargeSum } from '../usage/sql-unbilled.ts';

/**
 * `usage`: calls of a month. `adjustment`: calls of the month that are counted or billed late. `refund`: money taken
 * back.
 */
export type EarnedBy = 'usage' | 'adjustment' | 'refund';

/** A charge, which is below 0 for a refund. */
export interface Charged extends ChargeSum {
  readonly by: EarnedBy;
}

/** A charge with its parts: charge = earning + fee. */
export interface Earned extends Charged {
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

export interface EarnedSums {
  readonly chargeMicros: Micros;
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

/** Adds up in one walk: a builder may have many thousand lines. The charge is the sum of the other two. */
export function sumEarned(earned: readonly Omit<EarnedSums, 'chargeMicros'>[]): EarnedSums {
  let [earning, fee] = [0n, 0n];
  for (const { earningMicros, feeMicros } of earned) {
    earning += earningMicros;
    fee += feeMicros;
  }
  return { chargeMicros: micros(earning + fee), earningMicros: micros(earning), feeMicros: micros(fee) };
}

/**
 * Adds up rows of the same charge in the same month, whether they are paid or not. The order is that of their first
 * rows.
 */
export function mergeEarned(earned: readonly Earned[]): Earned[] {
  const merged = new Map<string, Earned>();
  for (const row of earned) {
    const key = [row.by, row.period, row.priceId, row.chargeIndex].join(' ');
    const before = merged.get(key);
    merged.set(key, before ? { ...before, ...sumEarned([before, row]) } : row);
  }
  return [...merged.values()];
}
