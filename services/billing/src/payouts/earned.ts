import { sumMicros, type Micros } from '@tollgate/kernel/money';

/** Calls of a month; what was counted late for it and billed later; what was given back. */
export type EarnedBy = 'usage' | 'adjustment' | 'refund';

/** What one charge of one price version came to in one month, over all consumers. */
export interface Charged {
  readonly by: EarnedBy;
  readonly period: string;
  readonly toolId: string;
  readonly priceId: string;
  readonly chargeIndex: number;
  readonly name: string | null;
  /** Below 0 for what was given back. */
  readonly chargeMicros: Micros;
}

/** With its parts: charge = earning + fee. */
export interface Earned extends Charged {
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

export interface EarnedSums {
  readonly chargeMicros: Micros;
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

export function sumEarned(earned: readonly EarnedSums[]): EarnedSums {
  return {
    chargeMicros: sumMicros(earned.map(({ chargeMicros }) => chargeMicros)),
    earningMicros: sumMicros(earned.map(({ earningMicros }) => earningMicros)),
    feeMicros: sumMicros(earned.map(({ feeMicros }) => feeMicros)),
  };
}

/** The same charge of the same month as one, whoever paid or did not pay yet. In the order of their first ones. */
export function mergeEarned(earned: readonly Earned[]): Earned[] {
  const merged = new Map<string, Earned>();
  for (const one of earned) {
    const key = [one.by, one.period, one.priceId, one.chargeIndex].join(' ');
    const before = merged.get(key);
    merged.set(key, before ? { ...before, ...sumEarned([before, one]) } : one);
  }
  return [...merged.values()];
}
