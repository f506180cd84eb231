import { z } from 'zod';
import { closedObject } from './closed-object.ts';
import { idSchema } from './id.ts';
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
  created_at: isoTimeSchema,
};

const ownCreditSchema = z.object(ownCreditShape).meta({ id: 'OwnCredit' });

export const balanceSchema = z
  .object({
    currency: z.literal('usd'),
    balance_usd: wholeCents.meta({ description: 'The money that pays invoices before a card does.' }),
    credits: z.array(ownCreditSchema).meta({
      description:
        'The credits that have something left, in the order in which they are spent: the soonest to expire first.',
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
