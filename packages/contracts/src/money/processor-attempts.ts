import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';

const processorAttemptSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the attempt.' }),
    number: z.int().min(1).meta({ description: 'The number of the attempt, from 1.' }),
    amount_usd: z.number().meta({ description: 'Whole cents.' }),
    status: z.enum(['unknown', 'succeeded', 'failed', 'reversed']).meta({
      description:
        '`unknown`: the outcome is looked up at the processor until it is known. `reversed`: it succeeded, and the money came back.',
    }),
    failure_code: z
      .string()
      .nullable()
      .meta({ description: 'Why the processor refused the order; null if it did not.' }),
    processor_object_id: z
      .string()
      .nullable()
      .meta({ description: 'The id of the object at the processor; null until it is known.' }),
    started_at: isoTimeSchema,
  })
  .meta({ id: 'ProcessorAttempt', description: 'An order to the payment processor. It is stored before it is sent.' });

export const processorAttemptListSchema = z
  .object({
    attempts: z.array(processorAttemptSchema),
    total: z.int().min(0).meta({ description: 'The number of attempts.' }),
  })
  .meta({ id: 'ProcessorAttemptList', description: 'All attempts, oldest first.' });
