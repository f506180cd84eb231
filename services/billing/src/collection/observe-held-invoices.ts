import type { Database } from '@tollgate/database/database';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { collectableStatuses } from './collectable.ts';
import { countHeldInvoices } from './sql-held-invoices.ts';

export interface ObserveHeldDeps {
  readonly database: Database;
  readonly metrics?: Metrics | undefined;
}

/** Measures the invoices that wait for the operator. It runs after the collection and is never work by itself. */
export function createObserveHeldInvoices({ database, metrics }: ObserveHeldDeps) {
  const held = metrics?.gauge(
    'tollgate_billing_held_invoices',
    'Unpaid invoices above INVOICE_COLLECT_MAX_USD that wait for the confirmation of the operator.',
  );
  return async function observeHeldInvoices(): Promise<number> {
    held?.set(await countHeldInvoices(database, collectableStatuses));
    return 0;
  };
}
