import type { Transaction } from '@tollgate/database/database';

const text = `select pg_advisory_xact_lock(hashtext('billing.closing'))`;

/**
 * Admits one closer at a time, until its transaction ends. So numbers have no gaps, and a second closer sees the
 * invoices that the first committed. Throws `unavailable` when the other closer holds the lock longer than the lock
 * timeout.
 */
export async function lockClosing(tx: Transaction): Promise<void> {
  await tx.query({ name: 'billing.lock_closing', text });
}
