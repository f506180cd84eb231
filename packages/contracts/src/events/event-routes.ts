import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import {
  batchResultSchema,
  countedEventListSchema,
  countedEventSchema,
  recordedEventSchema,
  refusedEventListSchema,
} from './event-answers.ts';
import { eventQuerySchema } from './event-query.ts';
import { batchSchema, eventSchema } from './events.ts';
import { pageQuerySchema } from '../forms/lists.ts';
import type { Route } from '../routes/route.ts';

const events = { service: 'ingest-gateway', tag: 'Events', access: 'account' } as const;

const eventLinks = [{ operationId: 'getEvent', parameter: 'event_id' }];

export const eventRoutes: readonly Route[] = [
  {
    ...events,
    operationId: 'recordEvent',
    method: 'POST',
    idempotencyKey: 'of_body',
    path: '/v1/events',
    summary: 'Record one event',
    description:
      'The answer comes once the event is durable. A repeated key has the same answer, with `Idempotent-Replayed`; with another body it is 409 `idempotency_conflict`. After 503 the event may or may not count, and sending it again with its key is safe. The body has at most 64 KiB.',
    body: eventSchema,
    admitsPass: true,
    keyScope: 'events',
    ignoresUnknownFields: true,
    rateLimited: true,
    responses: {
      201: {
        description: 'The event is durable.',
        schema: recordedEventSchema,
        headers: ['Idempotent-Replayed'],
        links: eventLinks,
      },
    },
    errors: [
      'consumer_not_accepted',
      'pass_refused',
      'tool_not_allowed',
      'tool_not_found',
      'idempotency_conflict',
      'event_expired',
      'payment_required',
      'spending_cap_reached',
      'authorization_not_found',
      'authorization_not_open',
      'authorization_exceeded',
    ],
  },
  {
    ...events,
    operationId: 'recordEvents',
    method: 'POST',
    idempotencyKey: { refused: 'each event of a batch has its own `idempotency_key`' },
    path: '/v1/events/batch',
    summary: 'Record up to 1,000 events',
    description:
      'Counts as one request for the rate limit. Each item has its own key and its own result. The answer is 200, unless the envelope is malformed (400) or no valid item could be made durable (503). The body has at most 1 MiB.',
    body: batchSchema,
    admitsPass: true,
    keyScope: 'events',
    ignoresUnknownFields: true,
    rateLimited: true,
    responses: { 200: { description: 'The result of each item.', schema: batchResultSchema } },
    errors: ['pass_refused'],
  },
  {
    ...events,
    operationId: 'listEvents',
    method: 'GET',
    path: '/v1/events',
    summary: 'List counted events',
    query: eventQuerySchema,
    responses: { 200: { description: 'A page of events, by time.', schema: countedEventListSchema } },
    errors: [],
  },
  {
    ...events,
    operationId: 'listRefusedEvents',
    method: 'GET',
    path: '/v1/events/refused',
    summary: 'List refused events',
    description:
      'Lists events that were acknowledged but refused when they were counted. Example: a key is used with two bodies at once on two gateways; the first is counted, and the other is listed here.',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of refused events.', schema: refusedEventListSchema } },
    errors: [],
  },
  {
    ...events,
    operationId: 'getEvent',
    method: 'GET',
    path: '/v1/events/{event_id}',
    summary: 'Get a counted event',
    description: 'An event that is not counted, or not counted yet, is 404 with `counted_through`.',
    params: z.object({ event_id: idSchema }),
    responses: { 200: { description: 'The event.', schema: countedEventSchema } },
    errors: ['event_not_found'],
  },
];
