import { z } from 'zod';
import { idSchema } from './id.ts';
import { errorCodes, type ErrorCode } from '@tollgate/kernel/error-codes';
import { eventListSchema } from './lists.ts';
import { metadataSchema } from './metadata.ts';
import { fieldErrorSchema } from './problem.ts';
import { isoTimeSchema } from './timestamp.ts';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]; // the keys of a Record<ErrorCode, …>

export const recordedEventSchema = z
  .object({
    event_id: idSchema,
    tool_id: z.string(),
    status: z.literal('recorded'),
    timestamp: isoTimeSchema.meta({ description: 'The time of the event as recorded.' }),
  })
  .meta({ id: 'RecordedEvent', description: 'The event is durable.' });

const itemErrorSchema = z
  .object({
    status: z.int(),
    code: z.enum(codes),
    detail: z.string(),
    errors: z.array(fieldErrorSchema).optional().meta({ description: 'Pointers are relative to the item.' }),
  })
  .meta({ id: 'EventItemError' });

export const batchResultSchema = z
  .object({
    recorded: z.int().min(0),
    duplicates: z.int().min(0),
    rejected: z.int().min(0),
    unknown: z.int().min(0),
    results: z.array(
      z.object({
        index: z.int().min(0),
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
  event_id: idSchema,
  tool_id: z.string(),
  status: z.literal('recorded'),
  state: z.literal('counted'),
  timestamp: isoTimeSchema,
  received_at: isoTimeSchema,
  duration_ms: z.int().nullable(),
  success: z.boolean(),
  metadata: metadataSchema,
};

/**
 */
const consumerEventSchema = z
  .object({ ...countedEventShape, idempotency_key: z.string().nullable() })
  .meta({ id: 'ConsumerEvent', description: 'A counted event, as its consumer sees it.' });

/** The builder of the tool sees the caller but not its key, and only the metadata that the prices sum. */
const builderEventSchema = z
  .object({ ...countedEventShape, consumer_id: idSchema })
  .meta({ id: 'BuilderEvent', description: "A counted event, as the tool's builder sees it." });

export const countedEventSchema = z
  .union([consumerEventSchema, builderEventSchema])
  .meta({ id: 'CountedEvent', description: 'A counted event, as its consumer or the builder of its tool sees it.' });

export const countedEventListSchema = eventListSchema('EventList', countedEventSchema);

const refusedEventSchema = z
  .object({
    event_id: idSchema,
    tool_id: z.string(),
    received_at: isoTimeSchema,
    code: z.string().meta({ examples: ['idempotency_conflict'] }),
    detail: z.string(),
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
