import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { optional } from '../forms/optional.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { usdAmountSchema } from '../forms/usd-amount.ts';

const outcomeSchema = z
  .enum(['paid', 'returned'])
  .meta({ description: '`returned`: the bank sends the money back an hour later.' });

export const ownPayoutOrderSchema = closedObject({
  amount_usd: usdAmountSchema,
  outcome: optional(outcomeSchema).meta({ description: 'What the bank does with it. Default: `paid`.' }),
}).meta({ id: 'SandboxOwnPayoutOrder', examples: [{ amount_usd: 250 }] });

export const ownPayoutSchema = z
  .object({
    id: z.string().meta({ description: 'The id of the payout at the processor.' }),
    amount_usd: z.number().meta({ description: 'Whole cents.' }),
    outcome: outcomeSchema,
    created_at: isoTimeSchema,
  })
  .meta({ id: 'SandboxOwnPayout' });
