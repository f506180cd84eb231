import type { Transaction } from '@tollgate/database/database';

const lockText = `select pg_advisory_xact_lock(hashtextextended('sandbox:' || $1, 0))`;

/** Held until the transaction ends: who asks for the same name at once waits, and then sees what the first one did. */
export async function lockInSandbox(tx: Transaction, name: string): Promise<void> {
  await tx.query(lockText, [name]);
}
