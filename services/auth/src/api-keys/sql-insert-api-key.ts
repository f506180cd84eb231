import type { Transaction } from '@tollgate/database/database';
import type { NewApiKey } from '../ports.ts';

export async function insertApiKey(tx: Transaction, key: NewApiKey): Promise<void> {
  await tx.query(statement, [
    key.keyId,
    key.accountId,
    key.name,
    key.keyHash,
    key.prefix,
    key.lastFour,
    new Date(key.createdAt),
  ]);
}

const statement = {
  name: 'auth.insert_api_key',
  text: `insert into auth.api_key (key_id, account_id, name, key_hash, prefix, last_four, created_at)
values ($1, $2, $3, $4, $5, $6, $7)`,
};
