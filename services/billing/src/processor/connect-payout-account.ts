import { isAppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { HostedLink, Processor } from './processor.ts';
import type { RefreshAccount } from './refresh-account.ts';
import {
  addConnectedAccount,
  findConnectedAccount,
  replaceConnectedAccount,
  setDisconnectedAt,
  type ConnectedAccount,
} from './sql-connected-accounts.ts';

export interface ConnectDeps {
  readonly api: Database;
  /** A connection with the role that sees all accounts. */
  readonly database: Database;
  readonly processor: Pick<Processor, 'name' | 'payoutAccounts'>;
  readonly refreshAccount: RefreshAccount;
  readonly clock: Clock;
}

export interface ConnectRequest {
  readonly accountId: string;
  readonly returnUrl: string;
}

/**
 * Returns a link for onboarding, to the only account that this builder has at the processor. The account is created
 * there first and stored here second. A crash in between creates no second account, since the key is derived from the
 * builder's account (F56).
 *
 * An account that is gone at the processor is replaced, once, by a new one. It takes payouts as soon as it is
 * onboarded.
 */
export function createConnectPayoutAccount({ api, database, processor, refreshAccount, clock }: ConnectDeps) {
  const { name, payoutAccounts } = processor;

  return async function connectPayoutAccount({ accountId, returnUrl }: ConnectRequest): Promise<HostedLink> {
    const builder = { builderId: accountId, processor: name };
    const known = await api.transaction((tx) => findConnectedAccount(tx, builder), { accountId });
    if (known === undefined) {
      const processorAccountId = await create(accountId, `payout-account:${accountId}`);
      const added = { ...builder, processorAccountId, createdAtMs: clock.now() };
      await api.transaction((tx) => addConnectedAccount(tx, added), { accountId });
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

  async function replace(accountId: string, { processorAccountId: goneAccountId }: ConnectedAccount): Promise<string> {
    const processorAccountId = await create(accountId, `payout-account:${accountId}:after:${goneAccountId}`);
    await replaceConnectedAccount(database, { processor: name, processorAccountId }, goneAccountId);
    return processorAccountId;
  }

  /**
   * Connects the account again and reads its status: if nothing is left to do at the processor, no webhook will come.
   */
  async function reconnect(accountId: string, { processorAccountId }: ConnectedAccount): Promise<void> {
    const builder = { builderId: accountId, processor: name };
    await api.transaction((tx) => setDisconnectedAt(tx, builder, null), { accountId });
    await refreshAccount(processorAccountId, () => payoutAccounts.read(processorAccountId));
  }
}

export type ConnectPayoutAccount = ReturnType<typeof createConnectPayoutAccount>;
