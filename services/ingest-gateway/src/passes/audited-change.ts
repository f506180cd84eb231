import type { Database, Transaction } from '@tollgate/database/database';
import type { Act, Actor } from '@tollgate/runtime/audit/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { PassDirectory } from './pass-directory.ts';
import type { PassName } from './sql-pass.ts';

export interface PassChange {
  readonly action: Extract<Act['action'], `pass.${string}`>;
  readonly name: PassName;
  readonly by: Actor;
}

/** Makes a change and its row in the audit trail in one transaction; after it this gateway knows the change at once. */
export function createAuditedChange(api: Database, directory: Pick<PassDirectory, 'refresh'>) {
  return async function change<T>({ action, name, by }: PassChange, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { accountId, passId } = name;
    const changed = await api.transaction(
      async (tx) => {
        const result = await work(tx);
        await recordAct(tx, by, { action, accountId, object: { kind: 'pass', id: passId } });
        return result;
      },
      { accountId },
    );
    await directory.refresh(); // the other gateways know within a second
    return changed;
  };
}
