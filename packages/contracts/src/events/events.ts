import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { metadataInputSchema, type Metadata } from '../forms/metadata.ts';
import { optional } from '../forms/optional.ts';
import { textProblem, textSchema } from '../forms/text-schema.ts';
import { timestampSchema } from '../forms/timestamp.ts';
import { traceparentSchema } from '../forms/traceparent.ts';

export const eventBodyBytesMax = 64 * 1024;
export const batchBodyBytesMax = 1024 * 1024;
const batchEventsMax = 1000;
/** An event of exactly this age still passes. */
export const eventAgeMaxMs = 86_400_000;
export const durationMsMax = 86_400_000;
export const callIndexMax = 999;
export const idempotencyKeyLengthMax = 255;
const keyLimits = { min: 1, max: idempotencyKeyLengthMax };

/** An event as a caller sends it, defaults applied. A field that was left out, or null, has no key here. */
export interface EventInput {
  readonly tool_id: string;
  readonly success: boolean;
  readonly duration_ms?: number | undefined;
  readonly metadata?: Metadata | undefined;
  /** Milliseconds since the epoch. */
  readonly timestamp?: number | undefined;
  readonly idempotency_key?: string | undefined;
  /** The event captures this authorization. */
  readonly authorization_id?: string | undefined;
  /** Which call of a book it is. */
  readonly call_index?: number | undefined;
  /** The trace to which the call belongs. */
  readonly traceparent?: string | undefined;
}

/** It can be sent at any time, and again: it has neither a time nor a key. */
const eventExample = {
  tool_id: 'web-search',
  duration_ms: 120,
  success: true,
  metadata: { model: 'small', tokens: 1284 },
};

/** The contract of one event. `parse-event.ts` is the faster way to the same answer, for the gateway. */
export const eventSchema = z
  .object({
    // Any text: if it is no slug, the tool does not exist (404), and the request is not malformed.
    tool_id: textSchema({ min: 1 }).meta({ description: 'Slug of a registered tool.', examples: ['web-search'] }),
    duration_ms: optional(durationSchema()).meta({ description: 'Execution time in milliseconds.', examples: [120] }),
    success: optional(z.boolean())
      .transform((success) => success ?? true)
      .meta({ description: 'Whether the call succeeded.', default: true }),
    metadata: optional(metadataInputSchema),
    timestamp: optional(timestampSchema).meta({
      description:
        'When the call happened. Default: the server time. A future time becomes the server time; a time more than 24 hours old is 422 `event_expired`.',
    }),
    idempotency_key: optional(textSchema(keyLimits)).meta({
      description: 'Your key for this call. A repeated key has the same answer and never counts twice.',
      examples: ['call-2026-11-21-000042'],
    }),
    authorization_id: optional(idSchema).meta({
      description:
        'The event captures this authorization: its money is held already, and its account pays. One event captures it, however often it is sent.',
    }),
    call_index: optional(z.int().min(0).max(callIndexMax)).meta({
      description: 'Which call this is of an authorization for several calls, from 0 to its `count` − 1.',
    }),
    traceparent: optional(traceparentSchema).meta({
      description:
        'The span of the call, as W3C Trace Context has it, such as `_meta.traceparent` of a call by MCP. Default: the `traceparent` header of the request. It is no part of the event: a repeat may have another.',
      examples: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    }),
  })
  .meta({ id: 'Event', description: 'One call of a tool.', examples: [eventExample] });

/** The envelope alone. `parseEvent` checks each item by itself, so an invalid item never affects the valid ones. */
export const batchSchema = z
  .object({
    events: z
      .array(z.unknown().meta({ $ref: '#/components/schemas/Event' }))
      .min(1)
      .max(batchEventsMax)
      .meta({
        description: 'An item that is no valid event is rejected in `results`, without effect on the others.',
      }),
  })
  .meta({ id: 'EventBatch', examples: [{ events: [eventExample, { tool_id: 'web-search', success: false }] }] });

/** As the contract has it, for those who cannot afford the contract: the fast parser, and the reader of the log. */
export function isDurationMs(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= durationMsMax;
}

/** Likewise. */
export function isIdempotencyKey(value: unknown): value is string {
  return typeof value === 'string' && textProblem(value, keyLimits) === undefined;
}

function durationSchema() {
  return z
    .int()
    .min(0)
    .max(durationMsMax)
    .transform((ms) => ms + 0); // −0 becomes 0
}
