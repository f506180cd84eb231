import { lookAlikeKey } from '@tollgate/contracts/forms/public-name';
import type { Database } from '@tollgate/database/database';
import { uniqueViolationTableOf } from '@tollgate/database/pg-error';
import { AppError } from '@tollgate/kernel/app-error';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { lockAccount, putPublicName } from './sql-account.ts';

/** Gives the account its public name; null removes it. Throws `name_taken` for one that looks like that of another account. */
export type NameAccount = (accountId: string, name: string | null, by: Actor) => Promise<void>;

export function createNameAccount({ api }: { readonly api: Database }): NameAccount {
  return async function nameAccount(accountId, name, by) {
    const named = name === null ? undefined : { name, key: lookAlikeKey(name) };
    const work = api.transaction(
      async (tx) => {
        await lockAccount(tx, accountId);
        await putPublicName(tx, accountId, named);
        await recordAct(tx, by, { action: 'account.named', accountId, object: { kind: 'account', id: accountId } });
      },
      { accountId },
    );
    await work.catch((error: unknown) => {
      if (uniqueViolationTableOf(error) !== 'account') throw error;
      throw new AppError('name_taken', 'Another account has a name that looks like this one.');
    });
  };
}
