import { reconcileQuerySchema, reconciliationSchema } from '../reconciliation.ts';
import type { Route } from '../route.ts';

export const reconcileRoutes: readonly Route[] = [
  {
    access: 'operator',
    tag: 'Operator',
    service: 'billing',
    operationId: 'reconcile',
    method: 'GET',
    path: '/v1/operator/reconcile',
    summary: 'Follow a period from its events to the processor',
    description:
      'events = rollups = lines = ledger = processor: each step with what was counted and summed on both sides, and the rows that differ. What is on its way at this moment may differ; asked again it does not.',
    query: reconcileQuerySchema,
    responses: { 200: { description: 'What was found, equal or not.', schema: reconciliationSchema } },
    errors: [],
  },
];
