import { zeroMicros, type Micros } from '@tollgate/kernel/money';
import { grossKeyOf, type FeeScope } from './fee-scope.ts';
import { splitCharge, type FeeSplit } from './fee-split.ts';

export interface PeriodCharge {
  /** The line's, also for its refund. */
  readonly period: string;
  readonly chargeMicros: Micros;
}

/** A builder's gross by the keys of `grossKeyOf`; none is 0. */
export type GrossByKey = ReadonlyMap<string, Micros>;

/** Charges of one builder, one after the other, and its gross after them. Each split stands at its charge's place. */
export function splitCharges(
  charges: readonly PeriodCharge[],
  before: { readonly scope: FeeScope; readonly gross: GrossByKey },
): { readonly splits: FeeSplit[]; readonly gross: GrossByKey } {
  const gross = new Map(before.gross);
  const splits = charges.map(({ period, chargeMicros }) => {
    const key = grossKeyOf(before.scope, period);
    const split = splitCharge({ grossMicros: gross.get(key) ?? zeroMicros, chargeMicros });
    gross.set(key, split.grossMicros);
    return split;
  });
  return { splits, gross };
}
