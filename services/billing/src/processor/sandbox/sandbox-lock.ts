import type { Transaction } from '@tollgate/database/database';

const lockText = `select pg_advisory_xact_lock(hashtextextended('sandbox:' || $1, 0))`;

/**
 * Locks a name until the transaction ends. Other transactions with this name wait, and then see the effect of this one.
 */
export async function lockInSandbox(tx: Transaction, name: string): Promise<void> {
  await tx.query(lockText, [name]);
}
