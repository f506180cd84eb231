import type { BillingAccount } from './billing-account.ts';
import type { ConnectedAccountStore } from '../processor/processor-stores.ts';
import type { ReadPendingBalance } from './read-pending-balance.ts';

export interface ReadBillingAccountDeps {
  readonly accounts: ConnectedAccountStore;
  readonly readPendingBalance: ReadPendingBalance;
}

export function createReadBillingAccount({ accounts, readPendingBalance }: ReadBillingAccountDeps) {
  return async function readBillingAccount(accountId: string): Promise<BillingAccount> {
    const [known, pendingBalanceMicros] = await Promise.all([accounts.find(accountId), readPendingBalance(accountId)]);
    const isConnected = known !== undefined && known.areDetailsSubmitted && !known.isDisconnected;
    return {
      processorAccountId: isConnected ? known.processorAccountId : null,
      isPayoutEnabled: isConnected && known.arePayoutsEnabled,
      pendingBalanceMicros,
    };
  };
}

export type ReadBillingAccount = ReturnType<typeof createReadBillingAccount>;
