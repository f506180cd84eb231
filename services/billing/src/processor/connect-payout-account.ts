import { isAppError } from '@tollgate/kernel/app-error';
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
 * and noted after: dying in between makes no second one, for the key is made from the builder's account (F56). One that is
 * gone there is replaced by another, once, which takes payouts as soon as it is onboarded.
 */
export function createConnectPayoutAccount({ processor, accounts }: ConnectDeps) {
  const { payoutAccounts } = processor;

  return async function connectPayoutAccount({ accountId, returnUrl }: ConnectRequest): Promise<HostedLink> {
    const known = await accounts.find(accountId);
    if (known === undefined) {
      const processorAccountId = await create(accountId, `payout-account:${accountId}`);
      await accounts.add(accountId, processorAccountId);
      return payoutAccounts.createLink({ processorAccountId, returnUrl });
    }
    try {
      if (known.isDisconnected) await reconnect(accountId, known);
      return await payoutAccounts.createLink({ ...known, returnUrl });
    } catch (error) {
      if (!isAppError(error, 'not_found')) throw error;
      return payoutAccounts.createLink({ processorAccountId: await replace(accountId, known), returnUrl });
    }
  };

  async function create(reference: string, idempotencyKey: string): Promise<string> {
    return (await payoutAccounts.create({ idempotencyKey, reference })).processorAccountId;
  }

  async function replace(accountId: string, { processorAccountId: gone }: ConnectedAccount): Promise<string> {
    const processorAccountId = await create(accountId, `payout-account:${accountId}:after:${gone}`);
    await accounts.replace(gone, processorAccountId);
    return processorAccountId;
  }

  /** Where nothing is left to do at the processor no webhook will come, so it is asked. */
  async function reconnect(accountId: string, { processorAccountId }: ConnectedAccount): Promise<void> {
    await accounts.setDisconnected(accountId, 'connected');
    await accounts.refresh(processorAccountId, () => payoutAccounts.read(processorAccountId));
  }
}

export type ConnectPayoutAccount = ReturnType<typeof createConnectPayoutAccount>;
