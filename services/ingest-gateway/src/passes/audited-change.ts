import type { Database, Transaction } from '@tollgate/database/database';
import type { Act, Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { PassDirectory } from './pass-directory.ts';
import type { PassName } from './sql-pass.ts';

export interface PassChange {
  readonly action: Extract<Act['action'], `pass.${string}`>;
  readonly name: PassName;
  readonly by: Actor;
}

/** A change and its row in the audit trail, in the transaction of the caller. */
export async function changeAudited<T>(
  tx: Transaction,
  { action, name, by }: PassChange,
  work: () => Promise<T>,
): Promise<T> {
  const { accountId, passId } = name;
  const result = await work();
  await recordAct(tx, by, { action, accountId, object: { kind: 'pass', id: passId } });
  return result;
}

/** Makes an audited change in a transaction of its own; after it this gateway knows the change at once. */
export function createAuditedChange(api: Database, directory: Pick<PassDirectory, 'refresh'>) {
  return async function change<T>(passChange: PassChange, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { accountId } = passChange.name;
    const changed = await api.transaction((tx) => changeAudited(tx, passChange, () => work(tx)), { accountId });
    await directory.refresh(); // the other gateways know within a second
    return changed;
  };
}
