import { agingController, collectionController } from './collection.controller.ts';
import { createCollection } from './collection.ts';
import type { CollectionDeps } from './pay-invoice.ts';

/** Wires the charging, aging, voiding and writing off of invoices. */
export function wireCollection(deps: CollectionDeps) {
  const collection = createCollection(deps);
  return {
    useCases: collection,
    dueSteps: [collection.ageInvoices, collection.collectInvoices, collection.observeHeldInvoices],
    controllers: [collectionController(collection), agingController(deps)],
  };
}
