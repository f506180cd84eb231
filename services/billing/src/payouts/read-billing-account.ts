import type { BillingAccount } from './billing-account.ts';
import type { Database } from '@tollgate/database/database';
import type { Processor } from '../processor/processor.ts';
import { findConnectedAccount } from '../processor/sql-connected-accounts.ts';
import type { ReadPendingBalance } from './read-pending-balance.ts';

export interface ReadBillingAccountDeps {
  readonly api: Database;
  readonly processor: Pick<Processor, 'name'>;
  readonly readPendingBalance: ReadPendingBalance;
}

/** Reads an account's payout account with its pending balance. */
export function createReadBillingAccount({ api, processor, readPendingBalance }: ReadBillingAccountDeps) {
  return async function readBillingAccount(accountId: string): Promise<BillingAccount> {
    const builder = { builderId: accountId, processor: processor.name };
    const [known, pendingBalanceMicros] = await Promise.all([
      api.transaction((tx) => findConnectedAccount(tx, builder), { accountId }),
      readPendingBalance(accountId),
    ]);
    const isConnected = known !== undefined && known.areDetailsSubmitted && !known.isDisconnected;
    return {
      processorAccountId: isConnected ? known.processorAccountId : null,
      isPayoutEnabled: isConnected && known.arePayoutsEnabled,
      pendingBalanceMicros,
      state: known?.isDisconnected === false ? known : undefined,
    };
  };
}

export type ReadBillingAccount = ReturnType<typeof createReadBillingAccount>;
