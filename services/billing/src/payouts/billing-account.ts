import type { Micros } from '@tollgate/kernel/money';

export interface BillingAccount {
  /** The account at the processor; null if none is connected. */
  readonly processorAccountId: string | null;
  readonly isPayoutEnabled: boolean;
  readonly pendingBalanceMicros: Micros;
}
