import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import type { Route } from '../routes/route.ts';
import { traceSchema } from './trace.ts';

export const traceRoutes: readonly Route[] = [
  {
    service: 'billing',
    tag: 'Events',
    access: 'account',
    operationId: 'traceEvent',
    method: 'GET',
    path: '/v1/events/{event_id}/trace',
    summary: 'Trace an event to its invoice and payout',
    description:
      'The consumer sees the charge and its payment. The builder of the tool sees the earning and its payout. An event that is not counted, not counted yet or no longer kept is 404 with `counted_through`; `detail` says which, if that is known.',
    params: z.object({ event_id: idSchema }),
    responses: { 200: { description: 'The trace so far.', schema: traceSchema } },
    errors: ['event_not_found'],
  },
];
