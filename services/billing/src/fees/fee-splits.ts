import { zeroMicros, type Micros, micros } from '@tollgate/kernel/money';
import { grossKeyOf, type FeeScope, feeOn } from './fee.ts';

/** A charge split in two. The earning is the charge less the fee, so both always add up to the charge. */
interface FeeSplit {
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
  /** The builder's gross afterwards. */
  readonly grossMicros: Micros;
}

/**
 * Splits a charge. A released charge moves the builder's gross from G to G' and owes F(G') − F(G), where F is `feeOn`.
 * A refund is a charge below 0: it moves the gross back and returns the difference of F. So the fees taken are F(G) at
 * any moment, in whatever order and groups charges come.
 */
export function splitCharge(moved: { readonly grossMicros: Micros; readonly chargeMicros: Micros }): FeeSplit {
  const grossMicros = micros(moved.grossMicros + moved.chargeMicros);
  const feeMicros = micros(feeOn(grossMicros) - feeOn(moved.grossMicros));
  return { earningMicros: micros(moved.chargeMicros - feeMicros), feeMicros, grossMicros };
}

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
