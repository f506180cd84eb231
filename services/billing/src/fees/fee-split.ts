import { micros, type Micros } from '@tollgate/kernel/money';
import { feeOn } from './fee.ts';

/** A charge split in two. The earning is the charge less the fee, so both always add up to the charge. */
export interface FeeSplit {
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
