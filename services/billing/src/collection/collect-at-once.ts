import type { Clock } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import { collectAllAt } from './sql-collectable-invoices.ts';

/** A new payment method makes all that its owner owes due at once. */
export function createCollectAtOnce({ clock }: { readonly clock: Clock }) {
  return async function collectAtOnce(tx: Transaction, consumerId: string): Promise<void> {
    await collectAllAt(tx, consumerId, clock.now());
  };
}
