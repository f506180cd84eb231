import { onlyRow, type Transaction } from '@tollgate/database/database';

const removeAll = { name: 'auth.delete_recovery_codes', text: 'delete from auth.recovery_code where account_id = $1' };

const insert = {
  name: 'auth.insert_recovery_codes',
  text: 'insert into auth.recovery_code (account_id, code_hash) select $1, unnest($2::bytea[])',
};

/** Earlier codes of the account are void from now on, used or not. */
export async function putRecoveryCodes(
  tx: Transaction,
  accountId: string,
  codeHashes: readonly Uint8Array[],
): Promise<void> {
  await tx.query(removeAll, [accountId]);
  await tx.query(insert, [accountId, codeHashes]);
}

const use = {
  name: 'auth.use_recovery_code',
  text: `update auth.recovery_code set used_at = $3 where account_id = $1 and code_hash = $2 and used_at is null
returning account_id`,
};

/** False for an unknown code, and for a used one. Of racing callers one gets true. */
export async function useRecoveryCode(
  tx: Transaction,
  code: { readonly accountId: string; readonly codeHash: Uint8Array; readonly usedAt: number },
): Promise<boolean> {
  return (await tx.query(use, [code.accountId, code.codeHash, new Date(code.usedAt)])).length === 1;
}

const count = {
  name: 'auth.count_recovery_codes',
  text: 'select count(*)::int as unused from auth.recovery_code where account_id = $1 and used_at is null',
};

export async function countUnusedRecoveryCodes(tx: Transaction, accountId: string): Promise<number> {
  return onlyRow(await tx.query<{ unused: number }>(count, [accountId])).unused;
}
