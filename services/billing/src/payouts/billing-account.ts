import type { Micros } from '@tollgate/kernel/money';

export interface BillingAccount {
  /** Null: nothing is connected. */
  readonly processorAccountId: string | null;
  readonly isPayoutEnabled: boolean;
  readonly pendingBalanceMicros: Micros;
}
