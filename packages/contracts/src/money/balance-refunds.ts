import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { listSchema } from '../forms/lists.ts';
import { optional } from '../forms/optional.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { usdAmountSchema } from '../forms/usd-amount.ts';

const wholeCents = z.number().meta({ description: 'Whole cents.' });

const statusSchema = z.enum(['pending', 'succeeded', 'failed']);

export const balanceRefundOrderSchema = closedObject({
  amount_usd: optional(usdAmountSchema).meta({
    description: 'US dollars, at most two decimals. If not given, all that can be refunded.',
  }),
}).meta({ id: 'BalanceRefundOrder', examples: [{ amount_usd: 20 }] });

const partSchema = z
  .object({
    top_up_id: idSchema.meta({ description: 'The top-up whose card gets it.' }),
    amount_usd: wholeCents,
    status: statusSchema,
    failure_code: z.string().nullable().meta({ description: 'Why it failed, in the processor’s words.' }),
  })
  .meta({ id: 'BalanceRefundPart' });

export const balanceRefundSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the refund.' }),
    account_id: idSchema.meta({ description: 'The account whose balance it was.' }),
    currency: z.literal('usd'),
    amount_usd: wholeCents.meta({ description: 'What left the balance when it was ordered: the sum of the parts.' }),
    refunded_usd: wholeCents.meta({ description: 'What has gone back to cards.' }),
    status: statusSchema.meta({
      description:
        '`pending`: the payment processor has not said the outcome of each part; it is asked again until it has. `failed`: the money of each part that failed is on the balance again.',
    }),
    parts: z.array(partSchema).meta({ description: 'One per top-up, the newest first.' }),
    created_at: isoTimeSchema,
  })
  .meta({ id: 'BalanceRefund' });

export const balanceRefundListSchema = listSchema({
  id: 'BalanceRefundList',
  name: 'refunds',
  item: balanceRefundSchema,
});

export type BalanceRefund = z.infer<typeof balanceRefundSchema>;
export type BalanceRefundList = z.infer<typeof balanceRefundListSchema>;
