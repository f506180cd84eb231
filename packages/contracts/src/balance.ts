import { z } from 'zod';
import { closedObject } from './closed-object.ts';
import { idSchema } from './id.ts';
import { listSchema } from './lists.ts';
import { optional } from './optional.ts';
import { textSchema } from './text-schema.ts';
import { isoTimeSchema, timestampSchema } from './timestamp.ts';
import { usdAmountSchema } from './usd-amount.ts';

const wholeCents = z.number().meta({ description: 'Whole cents.' });

const ownCreditShape = {
  id: idSchema.meta({ description: 'The id of the credit.' }),
  amount_usd: wholeCents,
  left_usd: wholeCents.meta({ description: 'The part that nothing has taken yet.' }),
  expires_at: isoTimeSchema.nullable().meta({ description: 'When the rest of it is taken back; null: never.' }),
  top_up_id: idSchema.nullable().meta({ description: 'The top-up that it is; null: the operator granted it.' }),
  created_at: isoTimeSchema,
};

const ownCreditSchema = z.object(ownCreditShape).meta({ id: 'OwnCredit' });

export const balanceSchema = z
  .object({
    currency: z.literal('usd'),
    balance_usd: wholeCents.meta({ description: 'The money that pays invoices before a card does.' }),
    credits: z.array(ownCreditSchema).meta({
      description:
        'The credits that have something left, in the order in which they are spent: grants before top-ups, the soonest to expire first.',
    }),
  })
  .meta({ id: 'Balance' });

export const creditOrderSchema = closedObject({
  amount_usd: usdAmountSchema,
  reason: textSchema({ min: 1, max: 500 }).meta({ description: 'Why. Only the operator sees it.' }),
  expires_at: optional(timestampSchema).meta({ description: 'When the rest of it is taken back. Default: never.' }),
}).meta({ id: 'CreditOrder', examples: [{ amount_usd: 25, reason: 'welcome' }] });

export const creditSchema = z
  .object({
    ...ownCreditShape,
    account_id: idSchema.meta({ description: 'The consumer whose balance it is on.' }),
    reason: z.string().meta({ description: 'Why it was granted.' }),
  })
  .meta({ id: 'Credit' });

export const creditListSchema = z
  .object({ credits: z.array(creditSchema), total: z.int().min(0).meta({ description: 'The number of credits.' }) })
  .meta({ id: 'CreditList', description: 'All credits of one account, newest first.' });

/** In cents. */
const topUpBounds = { least: 100n, most: 1_000_000n };

const topUpAmountSchema = usdAmountSchema
  .check(({ value, issues }) => {
    if (value >= topUpBounds.least && value <= topUpBounds.most) return;
    const message = 'must be from 1 to 10,000 dollars';
    issues.push({ code: 'custom', input: value, message, params: { code: 'out_of_range' } });
  })
  .meta({
    type: 'number',
    minimum: 1,
    maximum: 10_000,
    description: 'US dollars, at most two decimals.',
    examples: [50],
  });

export const topUpOrderSchema = closedObject({ amount_usd: topUpAmountSchema }).meta({
  id: 'TopUpOrder',
  examples: [{ amount_usd: 50 }],
});

export const topUpSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the top-up.' }),
    currency: z.literal('usd'),
    amount_usd: wholeCents,
    status: z.enum(['pending', 'succeeded', 'failed']).meta({
      description:
        '`pending`: the payment processor has not said the outcome; it is asked again until it has. `failed`: nothing was charged; order another one.',
    }),
    failure_code: z.string().nullable().meta({ description: 'Why the charge failed, in the processor’s words.' }),
    created_at: isoTimeSchema,
    succeeded_at: isoTimeSchema.nullable().meta({ description: 'When the money came onto the balance.' }),
  })
  .meta({ id: 'TopUp' });

export const topUpListSchema = listSchema({ id: 'TopUpList', name: 'top_ups', item: topUpSchema });
