import type { Database } from '@tollgate/database/database';
import type { SigningKeyStore } from '../ports.ts';
import { insertSigningKey } from './sql-insert-signing-key.ts';
import { readSigningKeys } from './sql-read-signing-keys.ts';
import { retireSigningKey } from './sql-retire-signing-key.ts';

/** Works as auth_worker: signing keys belong to no account. */
export function createPgSigningKeyStore(worker: Database): SigningKeyStore {
  return {
    all: () => readSigningKeys(worker),
    install: (key, replacedKeyId) =>
      worker.transaction(async (tx) => {
        if (replacedKeyId !== undefined && !(await retireSigningKey(tx, replacedKeyId, key.createdAt))) return 'lost';
        return (await insertSigningKey(tx, key)) ? 'installed' : 'lost';
      }),
  };
}
