import type { HostedLink, Processor } from './processor.ts';
import type { ConnectedAccount, ConnectedAccountStore } from './processor-stores.ts';

export interface ConnectDeps {
  readonly processor: Pick<Processor, 'payoutAccounts'>;
  readonly accounts: ConnectedAccountStore;
}

export interface ConnectRequest {
  readonly accountId: string;
  readonly returnUrl: string;
}

/**
 * A link for onboarding, to the one account that this builder has at the processor. The processor's account is made first
 * and noted after: dying in between makes no second one, for the key is made from the builder's account (F56).
 */
export function createConnectPayoutAccount({ processor, accounts }: ConnectDeps) {
  const { payoutAccounts } = processor;

  return async function connectPayoutAccount({ accountId, returnUrl }: ConnectRequest): Promise<HostedLink> {
    const known = await accounts.find(accountId);
    const processorAccountId = known?.processorAccountId ?? (await create(accountId));
    if (known?.isDisconnected) await reconnect(accountId, known);
    return payoutAccounts.createLink({ processorAccountId, returnUrl });
  };

  async function create(accountId: string): Promise<string> {
    const keyed = { idempotencyKey: `payout-account:${accountId}`, reference: accountId };
    const { processorAccountId } = await payoutAccounts.create(keyed);
    await accounts.add(accountId, processorAccountId);
    return processorAccountId;
  }

  /** Where nothing is left to do at the processor no webhook will come, so it is asked. */
  async function reconnect(accountId: string, { processorAccountId }: ConnectedAccount): Promise<void> {
    await accounts.setDisconnected(accountId, 'connected');
    await accounts.refresh(processorAccountId, () => payoutAccounts.read(processorAccountId));
  }
}

export type ConnectPayoutAccount = ReturnType<typeof createConnectPayoutAccount>;
