import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQueryShape } from '../forms/lists.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { textSchema } from '../forms/text-schema.ts';

/** Where a record lies in the log: topic, partition, offset. */
export const deadLetterIdSchema = z
  .string()
  .regex(/^[a-z0-9._-]{1,100}:\d{1,4}:\d{1,18}$/, { error: 'must be as `usage.events.v1:0:42`' })
  .meta({
    description: 'The place of the record in the log: topic, partition and offset.',
    examples: ['usage.events.v1:0:42'],
  });

export const deadLetterQuerySchema = z.object({
  ...pageQueryShape,
  code: textSchema({ min: 1, max: 100 })
    .optional()
    .meta({ description: 'Only dead letters with this code, such as `idempotency_conflict`.' }),
  consumer_id: idSchema.optional().meta({ description: 'Only dead letters of this account.' }),
  replayed: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Only dead letters that were, or were not, replayed.' }),
});

const shape = {
  id: deadLetterIdSchema,
  topic: z.string().meta({ description: 'The topic of the log.' }),
  partition: z.int().min(0).meta({ description: 'The partition of the topic.' }),
  offset: z.int().min(0).meta({ description: 'The place in the partition.' }),
  code: z.string().meta({ description: 'The stable code of the reason.' }),
  reason: z.string().meta({ description: 'The reason in words.' }),
  consumer_id: idSchema
    .nullable()
    .meta({ description: 'Null, like the next three fields, if the record cannot be read.' }),
  event_id: idSchema.nullable().meta({ description: 'The id of the event.' }),
  tool_id: z.string().nullable().meta({ description: 'The slug of the tool.' }),
  received_at: isoTimeSchema.nullable(),
  stored_at: isoTimeSchema,
  replayed_at: isoTimeSchema.nullable().meta({ description: 'When the record was last replayed.' }),
  replayed_as: z.string().nullable().meta({
    description:
      'The place in the log after the replay. If the record is refused again, this is the id of the new dead letter.',
  }),
};

export const deadLetterSchema = z
  .object(shape)
  .meta({ id: 'DeadLetter', description: 'A record of the log that was not counted, and why.' });

export const deadLetterWithRecordSchema = z
  .object({
    ...shape,
    record_base64: z.string().meta({ description: 'The bytes of the record, as they are in the log.' }),
  })
  .meta({ id: 'DeadLetterWithRecord' });

export const deadLetterListSchema = listSchema({
  id: 'DeadLetterList',
  name: 'dead_letters',
  item: deadLetterSchema,
});

export type DeadLetterQuery = z.output<typeof deadLetterQuerySchema>;
export type DeadLetter = z.infer<typeof deadLetterSchema>;
