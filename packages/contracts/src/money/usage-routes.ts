import type { Route } from '../routes/route.ts';
import { usageQuerySchema, usageSchema } from './usage.ts';

export const usageRoutes: readonly Route[] = [
  {
    operationId: 'getUsage',
    method: 'GET',
    path: '/v1/usage',
    service: 'billing',
    access: 'account',
    tag: 'Usage',
    summary: 'Sum calls, durations, measures and money',
    description: 'Sums everything that is counted. A query with more than 10,000 rows is 400, with advice.',
    query: usageQuerySchema,
    responses: { 200: { description: 'The sums.', schema: usageSchema } },
    errors: [],
  },
];
