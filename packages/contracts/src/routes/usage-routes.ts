import type { Route } from '../route.ts';
import { usageQuerySchema, usageSchema } from '../usage.ts';

export const usageRoutes: readonly Route[] = [
  {
    operationId: 'getUsage',
    method: 'GET',
    path: '/v1/usage',
    service: 'billing',
    access: 'account',
    tag: 'Usage',
    summary: 'Calls, durations and measures, summed',
    query: usageQuerySchema,
    responses: { 200: { description: 'The sums.', schema: usageSchema } },
    errors: [],
  },
];
