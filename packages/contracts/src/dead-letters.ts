import { z } from 'zod';
import { idSchema } from './id.ts';
import { listSchema, pageQueryShape } from './lists.ts';
import { isoTimeSchema } from './timestamp.ts';
import { textSchema } from './text-schema.ts';

/** Where a record lies in the log: topic, partition, offset. */
export const deadLetterIdSchema = z
  .string()
  .regex(/^[a-z0-9._-]{1,100}:\d{1,4}:\d{1,18}$/)
  .meta({ description: 'Its place in the log: topic, partition and offset.', examples: ['usage.events.v1:0:42'] });

export const deadLetterQuerySchema = z.object({
  ...pageQueryShape,
  code: textSchema({ min: 1, max: 100 })
    .optional()
    .meta({ description: 'Only those refused for this reason, such as `idempotency_conflict`.' }),
  consumer_id: idSchema.optional().meta({ description: 'Only those of this account.' }),
  replayed: z.enum(['true', 'false']).optional().meta({ description: 'Only those that were, or were not, replayed.' }),
});

const shape = {
  id: deadLetterIdSchema,
  topic: z.string(),
  partition: z.int().min(0),
  offset: z.int().min(0),
  code: z.string().meta({ description: 'Why it was not counted. Stable.' }),
  reason: z.string().meta({ description: 'The same in words.' }),
  consumer_id: idSchema.nullable().meta({ description: 'Null, as the next three, where nobody can read whose it is.' }),
  event_id: idSchema.nullable(),
  tool_id: z.string().nullable(),
  received_at: isoTimeSchema.nullable(),
  stored_at: isoTimeSchema,
  replayed_at: isoTimeSchema.nullable().meta({ description: 'When it was last appended to the log again.' }),
  replayed_as: z
    .string()
    .nullable()
    .meta({ description: 'The place that it got then: should it be refused again, the id of that dead letter.' }),
};

const deadLetterSchema = z
  .object(shape)
  .meta({ id: 'DeadLetter', description: 'A record of the log that was not counted, and why.' });

export const deadLetterWithRecordSchema = z
  .object({ ...shape, record_base64: z.string().meta({ description: 'Its bytes, as they lie in the log.' }) })
  .meta({ id: 'DeadLetterWithRecord' });

export const deadLetterListSchema = listSchema({
  id: 'DeadLetterList',
  name: 'dead_letters',
  item: deadLetterSchema,
});

export type DeadLetterQuery = z.output<typeof deadLetterQuerySchema>;
export type DeadLetter = z.infer<typeof deadLetterSchema>;
