import type { Database } from '@tollgate/database/database';
import type { PayoutAccountStatus, Processor } from './processor.ts';
import { lockConnectedAccount, setAccountStatus } from './sql-connected-accounts.ts';

export interface RefreshAccountDeps {
  /** A connection with the role that sees all accounts. */
  readonly database: Database;
  readonly processor: Pick<Processor, 'name'>;
}

/**
 * Replaces an account's status by the result of `read`, which runs under a lock. Without the lock, two runs could store
 * their results in the other order, and the older status would stay. Does nothing for an account that is not ours. Safe
 * to repeat.
 */
export function createRefreshAccount({ database, processor }: RefreshAccountDeps) {
  return function refreshAccount(processorAccountId: string, read: () => Promise<PayoutAccountStatus>): Promise<void> {
    const account = { processor: processor.name, processorAccountId };
    return database.transaction(async (tx) => {
      if (!(await lockConnectedAccount(tx, account))) return;
      await setAccountStatus(tx, account, await read()); // only after the lock
    });
  };
}

export type RefreshAccount = ReturnType<typeof createRefreshAccount>;
