import type { Micros } from '@tollgate/kernel/money';

/** What a row of usage, or all of them, came to. It may be below 0: see `rateOverTime`. */
export interface UsageMoney {
  readonly chargeMicros: Micros;
  /** For builders. Together they are the charge. */
  readonly split?: { readonly earningMicros: Micros; readonly feeMicros: Micros };
}
