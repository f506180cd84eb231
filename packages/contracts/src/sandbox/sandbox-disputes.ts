import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { optional } from '../forms/optional.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { usdAmountSchema } from '../forms/usd-amount.ts';

const decisionSchema = z.enum(['won', 'lost']).meta({ description: '`lost`: the consumer’s bank took the money.' });

const outcomeSchema = z.enum(['won', 'lost', 'needs_response']).meta({
  description:
    '`needs_response`: it stays open until it is decided, and its money is withdrawn. `lost`: the consumer’s bank took the money.',
});

export const disputeOrderSchema = closedObject({
  invoice_id: optional(idSchema).meta({ description: 'The disputed invoice.' }),
  top_up_id: optional(idSchema).meta({ description: 'The disputed top-up. Give this or `invoice_id`.' }),
  amount_usd: usdAmountSchema,
  fee_usd: optional(usdAmountSchema).meta({
    description: 'The fee of the processor on the dispute, withdrawn at once and never given back. Default: 0.',
  }),
  outcome: outcomeSchema,
})
  .check(({ value, issues }) => {
    if ((value.invoice_id === undefined) !== (value.top_up_id === undefined)) return;
    const message = 'must be given, or `top_up_id`, and not both';
    issues.push({ code: 'custom', path: ['invoice_id'], input: value, message, params: { code: 'invalid_value' } });
  })
  .meta({
    id: 'SandboxDisputeOrder',
    examples: [{ invoice_id: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b', amount_usd: 12.5, outcome: 'needs_response' }],
  });

export const disputeIdSchema = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: 'The id of the dispute at the processor.' });

export const disputeDecisionSchema = closedObject({ outcome: decisionSchema }).meta({
  id: 'SandboxDisputeDecision',
  examples: [{ outcome: 'won' }],
});

export const disputeSchema = z
  .object({
    id: disputeIdSchema,
    invoice_id: idSchema.nullable().meta({ description: 'The disputed invoice.' }),
    top_up_id: idSchema.nullable().meta({ description: 'The disputed top-up.' }),
    amount_usd: z.number().meta({ description: 'Whole cents.' }),
    fee_usd: z.number().meta({ description: 'The fee of the processor on the dispute.' }),
    outcome: outcomeSchema,
    created_at: isoTimeSchema,
  })
  .meta({ id: 'SandboxDispute' });
