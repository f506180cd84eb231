import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { eraseCalls, erasedSchemas, eraseIn, listWaitingErasures, lookAtErasure, markErased } from './sql-erasure.ts';

export interface EraseAccountsDeps {
  /** Connects as auth_worker, which may call the step of each schema. */
  readonly worker: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'warn'>;
}

const accountsMax = 100;

/**
 * Erases each closed account for which nothing stands in the way any more. Every step is a transaction of its own and safe to
 * repeat, so this may be stopped anywhere and may run in two processes at once. One account that fails holds up no other.
 */
export function createEraseAccounts({ worker, clock, log }: EraseAccountsDeps) {
  return async function eraseAccounts(): Promise<void> {
    for (const { accountId } of await listWaitingErasures(worker, accountsMax))
      await eraseAccount(accountId).catch((error: unknown) =>
        log.warn({ account_id: accountId, err: error }, 'an account could not be erased; it is tried again'),
      );
  };

  async function eraseAccount(accountId: string): Promise<void> {
    const waitsFor = await lookAtErasure(worker, accountId, clock.now());
    if (waitsFor.length > 0) return;
    for (let from: Date | undefined = new Date(0); from !== undefined;)
      from = await eraseCalls(worker, accountId, from);
    for (const schema of erasedSchemas) await eraseIn(worker, schema, accountId);
    await worker.transaction(async (tx) => {
      if (!(await markErased(tx, accountId, clock.now()))) return;
      const object = { kind: 'account', id: accountId };
      await recordAct(tx, { kind: 'service' }, { action: 'account.erased', accountId, object });
    });
  }
}
