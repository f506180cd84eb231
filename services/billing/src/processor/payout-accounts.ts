import { AppError, isAppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { HostedLink, Processor } from './processor.ts';
import type { RefreshAccount } from './follow-accounts.ts';
import {
  addConnectedAccount,
  findConnectedAccount,
  replaceConnectedAccount,
  setDisconnectedAt,
  type ConnectedAccount,
} from './sql-connected-accounts.ts';

export interface PayoutAccountsDeps {
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
  readonly country?: string | undefined;
}

/** Creates what builders ask of their payout accounts at the processor. */
export function createPayoutAccounts(deps: PayoutAccountsDeps) {
  const { api, processor, clock } = deps;

  return { connectPayoutAccount: createConnectPayoutAccount(deps), createLoginLink, disconnectPayoutAccount };

  /** Returns an address at which a builder sees its payout account at the processor. `not_found` before onboarding. */
  async function createLoginLink({ accountId, ownAddress }: LoginRequest): Promise<string> {
    const builder = { builderId: accountId, processor: processor.name };
    const known = await api.transaction((tx) => findConnectedAccount(tx, builder), { accountId });
    if (known === undefined || known.isDisconnected || !known.areDetailsSubmitted)
      throw new AppError('not_found', 'No payout account is connected. Connect one first.');
    return processor.payoutAccounts.createLoginLink({ processorAccountId: known.processorAccountId, ownAddress });
  }

  /**
   * Disconnects a builder's payout account here. At the processor it stays its owner's, and money owed stays owed. Does
   * nothing if no account is connected.
   */
  async function disconnectPayoutAccount(accountId: string, by: Actor): Promise<void> {
    const builder = { builderId: accountId, processor: processor.name };
    const act = { action: 'payout_account.disconnected', accountId, object: { kind: 'payout_account' } } as const;
    await api.transaction(
      async (tx) => {
        if (await setDisconnectedAt(tx, builder, clock.now())) await recordAct(tx, by, act);
      },
      { accountId },
    );
  }
}

export type PayoutAccounts = ReturnType<typeof createPayoutAccounts>;

/**
 * Returns a link for onboarding, to the only account that this builder has at the processor. The account is created
 * there first and stored here second. A crash in between creates no second account, since the key is derived from the
 * builder's account (F56).
 *
 * An account that is gone at the processor is replaced, once, by a new one. It takes payouts as soon as it is
 * onboarded. So is an account of another country than the builder names, while nothing is onboarded. After that, the
 * processor lets no country change.
 */
function createConnectPayoutAccount({ api, database, processor, refreshAccount, clock }: PayoutAccountsDeps) {
  const { name, payoutAccounts } = processor;

  return async function connectPayoutAccount({ accountId, returnUrl, country }: ConnectRequest): Promise<HostedLink> {
    const builder = { builderId: accountId, processor: name };
    const known = await api.transaction((tx) => findConnectedAccount(tx, builder), { accountId });
    if (known === undefined) {
      const processorAccountId = await create({ accountId, key: `payout-account:${accountId}`, country });
      const added = { ...builder, processorAccountId, createdAtMs: clock.now(), country };
      await api.transaction((tx) => addConnectedAccount(tx, added), { accountId });
      return payoutAccounts.createLink({ processorAccountId, returnUrl });
    }
    return linkAgain({ known, accountId, returnUrl, country });
  };

  async function linkAgain({ known, accountId, returnUrl, country }: RepeatedConnect): Promise<HostedLink> {
    const goneId = known.processorAccountId;
    const isOtherCountry = needsOtherCountry(known, country);
    try {
      if (known.isDisconnected) await reconnect(accountId, known);
      if (!isOtherCountry) return await payoutAccounts.createLink({ processorAccountId: goneId, returnUrl });
    } catch (error) {
      if (!isAppError(error, 'not_found')) throw error;
    }
    const processorAccountId = await replace(accountId, { goneId, country: country ?? known.country ?? undefined });
    return payoutAccounts.createLink({ processorAccountId, returnUrl });
  }

  /** The country belongs to the key: a processor refuses a key that comes again with another country. */
  async function create({ accountId, key, country }: NewAccount): Promise<string> {
    const idempotencyKey = country === undefined ? key : `${key}:${country}`;
    return (await payoutAccounts.create({ idempotencyKey, reference: accountId, country })).processorAccountId;
  }

  async function replace(accountId: string, { goneId, country }: Replacement): Promise<string> {
    const processorAccountId = await create({ accountId, key: `payout-account:${accountId}:after:${goneId}`, country });
    await replaceConnectedAccount(database, { processor: name, processorAccountId, country }, goneId);
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

interface RepeatedConnect extends ConnectRequest {
  readonly known: ConnectedAccount;
}

/** Whether another account is needed. Throws if the builder names another country than it is onboarded in. */
function needsOtherCountry(known: ConnectedAccount, country: string | undefined): boolean {
  if (country === undefined || country === known.country) return false;
  if (!known.areDetailsSubmitted) return true;
  if (known.country !== null) throw countryIsFixed(known.country);
  return false; // the builder named none before onboarding, and nobody knows whether it is another one
}

interface NewAccount {
  readonly accountId: string;
  readonly key: string;
  readonly country: string | undefined;
}

interface Replacement {
  readonly goneId: string;
  readonly country: string | undefined;
}

function countryIsFixed(country: string): AppError {
  return new AppError('payout_country_fixed', `The payout account is onboarded in ${country}, which cannot change.`);
}

export interface LoginRequest {
  readonly accountId: string;
  /** Where pages that we serve ourselves lead back to. */
  readonly ownAddress: string;
}
