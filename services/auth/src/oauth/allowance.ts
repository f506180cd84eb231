import type { Micros } from '@tollgate/kernel/money';

export type CapWindow = 'day' | 'month' | 'total';

/** The limits of the pass of a consent. */
export interface Allowance {
  readonly toolIds: readonly string[];
  readonly cap: { readonly amountMicros: Micros; readonly window: CapWindow };
  readonly perCallMaxMicros: Micros | undefined;
  /** A call that can come to more needs an approval of its own. */
  readonly approveAboveMicros: Micros | undefined;
  readonly expiresAt: number | undefined;
}
