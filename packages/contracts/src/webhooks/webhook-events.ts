import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQueryShape } from '../forms/lists.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';
import { webhookTypes, type WebhookTypeName } from './webhook-types.ts';

const typeSchema = z.enum(Object.keys(webhookTypes) as WebhookTypeName[]); // its keys are these

const eventShape = {
  id: idSchema.meta({ description: 'The id of the event: the header `webhook-id` of each of its webhooks.' }),
  type: z.string().meta({ examples: ['invoice.paid'] }),
  timestamp: isoTimeSchema.meta({ description: 'When it happened.' }),
  data: z
    .record(z.string(), z.unknown())
    .meta({ description: 'The object after the change, by the schema of the type.' }),
};

export const webhookEventSchema = z.object(eventShape).meta({ id: 'WebhookEvent' });

const deliverySchema = z
  .object({
    endpoint_id: idSchema.meta({ description: 'The endpoint that is told.' }),
    status: z.enum(['pending', 'delivered', 'failed']).meta({
      description:
        '`pending`: it is tried until it succeeds. `failed`: the last try failed, or the endpoint was disabled.',
    }),
    attempts: z.int().min(0).meta({ description: 'The number of attempts that were begun.' }),
    next_attempt_at: isoTimeSchema.nullable().meta({ description: 'Null unless it is pending.' }),
  })
  .meta({ id: 'WebhookDelivery' });

const webhookEventDetailSchema = z
  .object({ ...eventShape, deliveries: z.array(deliverySchema).meta({ description: 'One for each endpoint.' }) })
  .meta({ id: 'WebhookEventDetail' });

const attemptSchema = z
  .object({
    endpoint_id: idSchema.meta({ description: 'The endpoint that was told.' }),
    number: z.int().min(1).meta({ description: 'From 1, for this endpoint.' }),
    started_at: isoTimeSchema,
    duration_ms: z.int().min(0),
    status: z.int().nullable().meta({ description: 'The status of the answer; null if there was none.' }),
    error: z.string().nullable().meta({ description: 'Why it failed; null if it succeeded.' }),
    answer: z.string().nullable().meta({ description: 'The first KiB of the answer.' }),
  })
  .meta({ id: 'WebhookAttempt' });

const attemptListSchema = z
  .object({ attempts: z.array(attemptSchema), total: z.int().min(0).meta({ description: 'The number of attempts.' }) })
  .meta({ id: 'WebhookAttemptList', description: 'All attempts of one event, oldest first.' });

const webhookEventListSchema = listSchema({ id: 'WebhookEventList', name: 'webhook_events', item: webhookEventSchema });

export const webhookEventQuerySchema = z.object({
  ...pageQueryShape,
  type: typeSchema.optional().meta({ description: 'Only events of this type.' }),
  from: timestampSchema.optional().meta({ description: 'Only events at or after this time.' }),
  to: timestampSchema.optional().meta({ description: 'Only events before this time.' }),
});

/** The content of a cursor of the list. */
export const webhookEventCursorSchema = z.tuple([z.string().regex(/^\d{1,18}$/)]);

export type WebhookEventQuery = z.output<typeof webhookEventQuerySchema>;

const events = { service: 'notifier', tag: 'Webhook endpoints', access: 'account' } as const;
const params = z.object({ id: idSchema });

export const webhookEventRoutes: readonly Route[] = [
  {
    ...events,
    operationId: 'listWebhookEvents',
    method: 'GET',
    path: '/v1/webhook-events',
    summary: 'List webhook events',
    description: 'Lists what happened in the last 30 days, newest first, whether an endpoint was told or not.',
    query: webhookEventQuerySchema,
    responses: { 200: { description: 'A page of events.', schema: webhookEventListSchema } },
    errors: [],
  },
  {
    ...events,
    operationId: 'getWebhookEvent',
    method: 'GET',
    path: '/v1/webhook-events/{id}',
    summary: 'Get a webhook event',
    params,
    responses: { 200: { description: 'The event, and whom it was told.', schema: webhookEventDetailSchema } },
    errors: ['not_found'],
  },
  {
    ...events,
    operationId: 'listWebhookAttempts',
    method: 'GET',
    path: '/v1/webhook-events/{id}/attempts',
    summary: 'List the attempts to tell a webhook event',
    params,
    responses: { 200: { description: 'All attempts.', schema: attemptListSchema } },
    errors: ['not_found'],
  },
  {
    ...events,
    operationId: 'redeliverWebhookEvent',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat sends nothing that is on its way' },
    path: '/v1/webhook-events/{id}/redeliver',
    summary: 'Redeliver a webhook event',
    description: 'Sends it to all endpoints that are enabled and told its type now, also to those that had it.',
    params,
    responses: { 202: { description: 'The event, and whom it is told.', schema: webhookEventDetailSchema } },
    errors: ['not_found'],
  },
];
