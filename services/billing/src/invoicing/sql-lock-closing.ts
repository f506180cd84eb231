import type { Transaction } from '@tollgate/database/database';

const text = `select pg_advisory_xact_lock(hashtext('billing.closing'))`;

/**
 * One closer at a time, until its transaction ends: numbers are without gaps, and of two that close the same consumers the
 * second sees what the first has committed. Throws `unavailable` when the other one is not done in the lock timeout.
 */
export async function lockClosing(tx: Transaction): Promise<void> {
  await tx.query({ name: 'billing.lock_closing', text });
}
