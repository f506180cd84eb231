import { z } from 'zod';
import { closedObject } from './closed-object.ts';
import { idSchema } from './id.ts';
import { isoTimeSchema } from './timestamp.ts';
import { usdAmountSchema } from './usd-amount.ts';

const outcomeSchema = z.enum(['won', 'lost']).meta({ description: '`lost`: the consumer’s bank took the money.' });

export const disputeOrderSchema = closedObject({
  invoice_id: idSchema,
  amount_usd: usdAmountSchema,
  outcome: outcomeSchema,
}).meta({ id: 'SandboxDisputeOrder' });

export const disputeSchema = z
  .object({
    id: z.string().meta({ description: 'The id of the dispute at the processor.' }),
    invoice_id: idSchema,
    amount_usd: z.number().meta({ description: 'Whole cents.' }),
    outcome: outcomeSchema,
    created_at: isoTimeSchema,
  })
  .meta({ id: 'SandboxDispute' });
