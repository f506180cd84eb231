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
    description:
      'Everything that was counted; at most 10,000 rows, beyond that 400 with advice. This release counts: the money fields are left out until it bills.',
    query: usageQuerySchema,
    responses: { 200: { description: 'The sums.', schema: usageSchema } },
    errors: [],
  },
];
