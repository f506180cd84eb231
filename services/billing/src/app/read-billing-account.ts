import type { Micros } from '@tollgate/kernel/money';
import type { BillingAccount } from '../domain/billing-account.ts';
import type { ConnectedAccountStore } from './processor-stores.ts';

export interface ReadBillingAccountDeps {
  readonly accounts: ConnectedAccountStore;
  readonly balance: BalanceReader;
}

export interface BalanceReader {
  /** What the ledger owes the builder and has not paid out. Safe to repeat. */
  readPayableMicros(accountId: string): Promise<Micros>;
}

export function createReadBillingAccount({ accounts, balance }: ReadBillingAccountDeps) {
  return async function readBillingAccount(accountId: string): Promise<BillingAccount> {
    const [known, pendingBalanceMicros] = await Promise.all([
      accounts.find(accountId),
      balance.readPayableMicros(accountId),
    ]);
    const isConnected = known !== undefined && known.areDetailsSubmitted && !known.isDisconnected;
    return {
      processorAccountId: isConnected ? known.processorAccountId : null,
      isPayoutEnabled: isConnected && known.arePayoutsEnabled,
      pendingBalanceMicros,
    };
  };
}

export type ReadBillingAccount = ReturnType<typeof createReadBillingAccount>;
