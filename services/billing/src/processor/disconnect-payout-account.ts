import type { ConnectedAccountStore } from './processor-stores.ts';

/** Only here: at the processor the account stays its owner's, and money owed stays owed. Also when nothing is connected. */
export function createDisconnectPayoutAccount({ accounts }: { accounts: ConnectedAccountStore }) {
  return async function disconnectPayoutAccount(accountId: string): Promise<void> {
    await accounts.setDisconnected(accountId, 'disconnected');
  };
}

export type DisconnectPayoutAccount = ReturnType<typeof createDisconnectPayoutAccount>;
