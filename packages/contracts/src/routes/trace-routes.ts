import { z } from 'zod';
import { idSchema } from '../id.ts';
import type { Route } from '../route.ts';
import { traceSchema } from '../trace.ts';

export const traceRoutes: readonly Route[] = [
  {
    service: 'billing',
    tag: 'Events',
    access: 'account',
    operationId: 'traceEvent',
    method: 'GET',
    path: '/v1/events/{event_id}/trace',
    summary: 'A counted event, followed to its invoice and payout',
    description:
      'Its consumer sees what it came to and how it is paid; the builder of its tool what it earned and when that is paid out. One that is not counted, or not yet, or not kept any more, is 404 with `counted_through`; `detail` says which, where it is known.',
    params: z.object({ event_id: idSchema }),
    responses: { 200: { description: 'How far it has come.', schema: traceSchema } },
    errors: ['event_not_found'],
  },
];
