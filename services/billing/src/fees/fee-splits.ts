import { zeroMicros, type Micros } from '@tollgate/kernel/money';
import { grossKeyOf, type FeeScope } from './fee-scope.ts';
import { splitCharge, type FeeSplit } from './fee-split.ts';

export interface PeriodCharge {
  /** The period of the line; a refund has the period of the line that it refunds. */
  readonly period: string;
  readonly chargeMicros: Micros;
}

/** A builder's gross by the keys of `grossKeyOf`. A missing key means 0. */
export type GrossByKey = ReadonlyMap<string, Micros>;

/**
 * Splits charges of one builder in their order, and returns its gross after them. Each split stands at its charge's
 * place.
 */
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
