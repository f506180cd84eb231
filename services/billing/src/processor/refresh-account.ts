import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database, Transaction } from '@tollgate/database/database';
import type { PayoutAccountStatus, Processor } from './processor.ts';
import { lockConnectedAccount, setAccountStatus, type LockedAccount } from './sql-connected-accounts.ts';

export interface RefreshAccountDeps {
  /** A connection with the role that sees all accounts. */
  readonly database: Database;
  readonly processor: Pick<Processor, 'name'>;
  readonly log: Pick<Logger, 'warn'>;
}

const bankMessage =
  'the bank of a builder refused a payout from its account at the processor; the builder has to correct it';

/**
 * Replaces an account's status by the result of `read`, which runs under a lock. Without the lock, two runs could store
 * their results in the other order, and the older status would stay. Does nothing for an account that is not ours. Safe
 * to repeat.
 */
export function createRefreshAccount({ database, processor, log }: RefreshAccountDeps) {
  return function refreshAccount(processorAccountId: string, read: () => Promise<PayoutAccountStatus>): Promise<void> {
    const account = { processor: processor.name, processorAccountId };
    return database.transaction(async (tx) => {
      const known = await lockConnectedAccount(tx, account);
      if (known === undefined) return;
      const status = await read(); // only after the lock
      await setAccountStatus(tx, account, status);
      await recordChange(tx, known, status);
      const { bankFailure } = status;
      if (bankFailure === undefined || bankFailure.atMs === known.bankFailedAtMs) return;
      log.warn({ account_id: known.builderId, ...account, failure_code: bankFailure.code }, bankMessage);
    });
  };
}

async function recordChange(tx: Transaction, known: LockedAccount, status: PayoutAccountStatus): Promise<void> {
  const { builderId: accountId } = known;
  const { areDetailsSubmitted, arePayoutsEnabled } = status;
  if (areDetailsSubmitted === known.areDetailsSubmitted && arePayoutsEnabled === known.arePayoutsEnabled) return;
  const detail = { details_submitted: areDetailsSubmitted, payouts_enabled: arePayoutsEnabled };
  const object = { kind: 'payout_account' };
  await recordAct(tx, { kind: 'processor' }, { action: 'payout_account.changed', accountId, object, detail });
}

export type RefreshAccount = ReturnType<typeof createRefreshAccount>;
