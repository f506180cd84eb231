import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Processor } from './processor.ts';
import { findConnectedAccount } from './sql-connected-accounts.ts';

export interface LoginLinkDeps {
  readonly api: Database;
  readonly processor: Pick<Processor, 'name' | 'payoutAccounts'>;
}

export interface LoginRequest {
  readonly accountId: string;
  /** Where pages that we serve ourselves lead back to. */
  readonly ownAddress: string;
}

/** Returns an address at which a builder sees its payout account at the processor. `not_found` before onboarding. */
export function createCreateLoginLink({ api, processor }: LoginLinkDeps) {
  return async function createLoginLink({ accountId, ownAddress }: LoginRequest): Promise<string> {
    const builder = { builderId: accountId, processor: processor.name };
    const known = await api.transaction((tx) => findConnectedAccount(tx, builder), { accountId });
    if (known === undefined || known.isDisconnected || !known.areDetailsSubmitted)
      throw new AppError('not_found', 'No payout account is connected. Connect one first.');
    return processor.payoutAccounts.createLoginLink({ processorAccountId: known.processorAccountId, ownAddress });
  };
}

export type CreateLoginLink = ReturnType<typeof createCreateLoginLink>;
