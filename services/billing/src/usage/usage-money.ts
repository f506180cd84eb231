import type { Micros } from '@tollgate/kernel/money';

/** The money of one row of usage, or of all rows. A charge may be below 0: see `rateOverTime`. */
export interface UsageMoney {
  readonly chargeMicros: Micros;
  /** Only for builders. Earning and fee together are the charge. */
  readonly split?: { readonly earningMicros: Micros; readonly feeMicros: Micros };
}
