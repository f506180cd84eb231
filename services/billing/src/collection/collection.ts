import type { Attempt } from '../processor/attempt.ts';
import { noSuchInvoice } from '../invoicing/invoice.ts';
import { listAttempts } from '../processor/sql-attempts.ts';
import { hasInvoice } from '../invoicing/sql-invoices.ts';
import { createAgeInvoices } from './age-invoices.ts';
import { createCollectInvoices, createObserveHeldInvoices } from './collect-invoices.ts';
import type { CollectionDeps } from './pay-invoice.ts';
import { createConfirmInvoice, createVoidInvoice } from './void-invoice.ts';

/** Creates what operators ask of the collection of invoices, and the work that becomes due in it. */
export function createCollection(deps: CollectionDeps) {
  const { database } = deps;

  return {
    voidInvoice: createVoidInvoice(deps),
    confirmInvoice: createConfirmInvoice(deps),
    findCharges,
    ageInvoices: createAgeInvoices(deps),
    collectInvoices: createCollectInvoices(deps),
    observeHeldInvoices: createObserveHeldInvoices(deps),
  };

  /** Lists the attempts to charge any consumer's invoice, in their order, for the operator. Throws `not_found`. */
  function findCharges(invoiceId: string): Promise<Attempt[]> {
    return database.transaction(async (tx) => {
      if (!(await hasInvoice(tx, invoiceId))) throw noSuchInvoice(invoiceId);
      return listAttempts(tx, 'charge', invoiceId);
    });
  }
}

export type Collection = ReturnType<typeof createCollection>;
