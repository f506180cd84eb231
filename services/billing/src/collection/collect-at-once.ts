import type { Clock } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import { collectAllAt } from './sql-collectable-invoices.ts';

/** Makes everything that a consumer owes due at once, when it has a new payment method. */
export function createCollectAtOnce({ clock }: { readonly clock: Clock }) {
  return async function collectAtOnce(tx: Transaction, consumerId: string): Promise<void> {
    await collectAllAt(tx, consumerId, clock.now());
  };
}
