import { reconcileQuerySchema, reconciliationSchema } from './reconciliation.ts';
import type { Route } from '../routes/route.ts';

export const reconcileRoutes: readonly Route[] = [
  {
    access: 'operator',
    tag: 'Operator',
    service: 'billing',
    operationId: 'reconcile',
    method: 'GET',
    path: '/v1/operator/reconcile',
    summary: 'Reconcile a period from its events to the processor',
    isExport: true,
    description:
      'Compares events, rollups, lines, ledger and processor, then spending caps with their usage and holds, and at last the cash with the balance at the processor. Each step shows both counts, both sums and the rows that differ. Money that is on its way at this moment may differ; a later request shows it as equal.',
    query: reconcileQuerySchema,
    responses: { 200: { description: 'The comparison, equal or not.', schema: reconciliationSchema } },
    errors: ['processor_refused', 'processor_unavailable'],
  },
];
