import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { errorCodes, type ErrorCode } from '@tollgate/kernel/error-codes';
import { eventListSchema } from '../forms/lists.ts';
import { metadataSchema } from '../forms/metadata.ts';
import { fieldErrorSchema } from '../forms/problem.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]; // the keys of a Record<ErrorCode, …>

export const recordedEventSchema = z
  .object({
    event_id: idSchema.meta({ description: 'The id of the event, assigned by the service.' }),
    tool_id: z.string().meta({ description: 'The slug of the tool.' }),
    status: z.literal('recorded').meta({ description: 'The event is durable.' }),
    timestamp: isoTimeSchema.meta({ description: 'The time of the event as recorded.' }),
  })
  .meta({ id: 'RecordedEvent', description: 'The event is durable.' });

const itemErrorSchema = z
  .object({
    status: z.int().meta({ description: 'The HTTP status that the item alone would have.' }),
    code: z.enum(codes).meta({ description: 'The stable code.' }),
    detail: z.string().meta({ description: 'The cause in words.' }),
    errors: z.array(fieldErrorSchema).optional().meta({ description: 'Pointers are relative to the item.' }),
  })
  .meta({ id: 'EventItemError' });

export const batchResultSchema = z
  .object({
    recorded: z.int().min(0).meta({ description: 'The number of durable events.' }),
    duplicates: z.int().min(0).meta({ description: 'The number of repeats of earlier events.' }),
    rejected: z.int().min(0).meta({ description: 'The number of refused items.' }),
    unknown: z.int().min(0).meta({ description: 'The number of events that may or may not count.' }),
    results: z.array(
      z.object({
        index: z.int().min(0).meta({ description: 'The place of the item in the request, from 0.' }),
        status: z.enum(['recorded', 'duplicate', 'rejected', 'unknown']).meta({
          description: '`unknown`: the event may or may not count, and sending it again with its key is safe.',
        }),
        event_id: idSchema.optional(),
        timestamp: isoTimeSchema.optional(),
        error: itemErrorSchema.optional().meta({ description: 'Only if `rejected` or `unknown`.' }),
        ignored_fields: z
          .array(z.string())
          .optional()
          .meta({ description: 'The first 20 unknown fields of the item, which had no effect.' }),
      }),
    ),
  })
  .meta({ id: 'EventBatchResult', description: 'One result per item, in the order sent.' });

const countedEventShape = {
  event_id: idSchema.meta({ description: 'The id of the event, assigned by the service.' }),
  tool_id: z.string().meta({ description: 'The slug of the tool.' }),
  status: z.literal('recorded').meta({ description: 'The event is durable.' }),
  state: z.literal('counted').meta({ description: 'The event is in the sums of usage.' }),
  timestamp: isoTimeSchema,
  received_at: isoTimeSchema,
  duration_ms: z.int().nullable().meta({ description: 'Execution time in milliseconds; null if it was not sent.' }),
  success: z.boolean().meta({ description: 'Whether the call succeeded.' }),
  metadata: metadataSchema,
};

/**
 */
const consumerEventSchema = z
  .object({
    ...countedEventShape,
    idempotency_key: z.string().nullable().meta({ description: 'The key of the event; null if it has none.' }),
    pass_id: idSchema.nullable().meta({ description: 'The pass that paid for the call; null without one.' }),
  })
  .meta({ id: 'ConsumerEvent', description: 'A counted event, as its consumer sees it.' });

/** The builder of the tool sees the caller but not its key, and only the metadata that the prices sum. */
const builderEventSchema = z
  .object({ ...countedEventShape, consumer_id: idSchema.meta({ description: 'The account that made the call.' }) })
  .meta({ id: 'BuilderEvent', description: "A counted event, as the tool's builder sees it." });

export const countedEventSchema = z
  .union([consumerEventSchema, builderEventSchema])
  .meta({ id: 'CountedEvent', description: 'A counted event, as its consumer or the builder of its tool sees it.' });

export const countedEventListSchema = eventListSchema('EventList', countedEventSchema);

const refusedEventSchema = z
  .object({
    event_id: idSchema.meta({ description: 'The id of the event, assigned by the service.' }),
    tool_id: z.string().meta({ description: 'The slug of the tool.' }),
    received_at: isoTimeSchema,
    code: z.string().meta({ description: 'The stable code of the reason.', examples: ['idempotency_conflict'] }),
    detail: z.string().meta({ description: 'The reason in words.' }),
  })
  .meta({ id: 'RefusedEvent', description: 'An event that was acknowledged, but refused when it was counted.' });

export const refusedEventListSchema = eventListSchema('RefusedEventList', refusedEventSchema);

export type RecordedEvent = z.infer<typeof recordedEventSchema>;
export type EventItemError = z.infer<typeof itemErrorSchema>;
export type EventBatchResult = z.infer<typeof batchResultSchema>;
export type ConsumerEvent = z.infer<typeof consumerEventSchema>;
export type BuilderEvent = z.infer<typeof builderEventSchema>;
export type CountedEventList = z.infer<typeof countedEventListSchema>;
export type RefusedEvent = z.infer<typeof refusedEventSchema>;
export type RefusedEventList = z.infer<typeof refusedEventListSchema>;
