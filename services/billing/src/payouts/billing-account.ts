import type { ConnectedAccount } from '../processor/sql-connected-accounts.ts';
import type { Micros } from '@tollgate/kernel/money';

export interface BillingAccount {
  /** The account at the processor; null if none is connected. */
  readonly processorAccountId: string | null;
  readonly isPayoutEnabled: boolean;
  readonly pendingBalanceMicros: Micros;
  /** As far as the builder's account got; undefined if there is none, or it is disconnected. */
  readonly state: ConnectedAccount | undefined;
}
