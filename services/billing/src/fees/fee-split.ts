import { micros, type Micros } from '@tollgate/kernel/money';
import { feeOn } from './fee.ts';

/** earning + fee = charge, always: the earning is what the fee leaves. */
export interface FeeSplit {
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
  /** The builder's gross afterwards. */
  readonly grossMicros: Micros;
}

/**
 * A released charge moves the builder's gross from G to G' and owes F(G') − F(G). A refund is a charge below 0: it moves G
 * back and gives F's difference back. So the fees taken are F(G) at any moment, whatever the order and the grouping.
 */
export function splitCharge(moved: { readonly grossMicros: Micros; readonly chargeMicros: Micros }): FeeSplit {
  const grossMicros = micros(moved.grossMicros + moved.chargeMicros);
  const feeMicros = micros(feeOn(grossMicros) - feeOn(moved.grossMicros));
  return { earningMicros: micros(moved.chargeMicros - feeMicros), feeMicros, grossMicros };
}
