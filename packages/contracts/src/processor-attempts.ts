import { z } from 'zod';
import { idSchema } from './id.ts';
import { isoTimeSchema } from './timestamp.ts';

const processorAttemptSchema = z
  .object({
    id: idSchema,
    number: z.int().min(1).meta({ description: 'The first, second, … of its kind for the same.' }),
    amount_usd: z.number().meta({ description: 'Whole cents.' }),
    status: z.enum(['unknown', 'succeeded', 'failed', 'reversed']).meta({
      description:
        '`unknown`: it is looked up until the processor says what became of it. `reversed`: it succeeded, and its money came back.',
    }),
    failure_code: z.string().nullable().meta({ description: 'Why the processor refused it.' }),
    processor_object_id: z.string().nullable().meta({ description: 'Where to look at the processor.' }),
    started_at: isoTimeSchema,
  })
  .meta({ id: 'ProcessorAttempt', description: 'An order to the payment processor: stored before it is given.' });

export const processorAttemptListSchema = z
  .object({ attempts: z.array(processorAttemptSchema), total: z.int().min(0) })
  .meta({ id: 'ProcessorAttemptList', description: 'All of them, in their order.' });
