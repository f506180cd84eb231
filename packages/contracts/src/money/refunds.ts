import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { optional } from '../forms/optional.ts';
import { slugSchema } from '../forms/slug.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { usdAmountSchema } from '../forms/usd-amount.ts';

const refundedNameSchema = closedObject({
  tool_id: slugSchema,
  price_id: optional(idSchema).meta({ description: 'Only the lines of this price version.' }),
  charge: optional(z.int().min(0).max(100)).meta({ description: 'Only the lines of this charge of the price.' }),
}).meta({ id: 'RefundedLineName', examples: [{ tool_id: 'web-search' }] });

const allThatIsLeft = 'If not given, all that is left: of the named lines, or of the invoice.';

const orderShape = {
  amount_usd: optional(usdAmountSchema).meta({ description: `US dollars, at most two decimals. ${allThatIsLeft}` }),
  builder_id: optional(idSchema).meta({ description: 'Only this builder’s share: the lines of its tools.' }),
  lines: optional(z.array(refundedNameSchema).min(1).max(100)).meta({
    description: 'Only these lines of the invoice, and those of earlier invoices that its payment released.',
  }),
};

export const refundOrderSchema = closedObject(orderShape).meta({
  id: 'RefundOrder',
  description: 'Without `builder_id` and `lines`, all lines give back in proportion to what they have left.',
  examples: [{ amount_usd: 12.5 }],
});

const partSchema = z
  .object({
    builder_id: idSchema.nullable().meta({ description: 'Null for lines of any builder.' }),
    lines: z
      .array(z.object({ tool_id: z.string(), price_id: idSchema.nullable(), charge: z.int().nullable() }))
      .nullable()
      .meta({ description: 'Null: all lines.' }),
  })
  .meta({ id: 'RefundPart' });

export const refundSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the refund.' }),
    order_id: idSchema.meta({
      description:
        'The first refund of the same order. An invoice that several charges paid may need several refunds, one of each charge.',
    }),
    invoice_id: idSchema.meta({ description: 'The refunded invoice.' }),
    amount_usd: z.number().meta({ description: 'Whole cents.' }),
    balance_usd: z.number().meta({ description: 'The part that goes back to the balance; the rest goes to the card.' }),
    cause: z.enum(['operator', 'dispute', 'processor', 'reinstated']).meta({
      description:
        '`dispute`: the consumer’s bank took the money back. `processor`: it was refunded at the payment processor by hand. `reinstated`: a lost dispute was won after all, so its money came back, and the amount is below zero.',
    }),
    status: z.enum(['pending', 'succeeded', 'failed']).meta({
      description: '`pending`: the outcome at the processor is not known yet, and is looked up until it is known.',
    }),
    failure_code: z
      .string()
      .nullable()
      .meta({ description: 'Why the processor refused the order; null if it did not.' }),
    part: partSchema.nullable().meta({ description: 'The lines that give it back; null if all do.' }),
    is_of_stray_money: z.boolean().meta({
      description:
        'Whether it refunds money that no invoice needed. Then no builder gives anything back, and no invoice changes.',
    }),
    created_at: isoTimeSchema,
    succeeded_at: isoTimeSchema.nullable().meta({ description: 'When the money went back; null until then.' }),
  })
  .meta({ id: 'Refund' });

export const strayMoneySchema = z
  .object({
    attempt_id: idSchema.meta({ description: 'The order whose money it is. It names the money.' }),
    kind: z.enum(['charge', 'returned_refund']).meta({
      description:
        '`charge`: it succeeded for an invoice that needed no payment. `returned_refund`: the bank of the consumer sent a refund back.',
    }),
    invoice_id: idSchema.meta({ description: 'The invoice of the order.' }),
    account_id: idSchema.meta({ description: 'The consumer whose money it is.' }),
    amount_usd: z.number().meta({ description: 'The whole amount.' }),
    left_usd: z.number().meta({ description: 'The part that is neither refunded nor about to be.' }),
    since: isoTimeSchema.meta({ description: 'When the order was settled.' }),
  })
  .meta({ id: 'StrayMoney' });

export const strayMoneyListSchema = z
  .object({
    stray_money: z.array(strayMoneySchema),
    total: z.int().min(0).meta({ description: 'The number of orders.' }),
    left_usd: z.number().meta({ description: 'The sum of what is left.' }),
  })
  .meta({
    id: 'StrayMoneyList',
    description: 'Collected money that belongs to no invoice and no builder, oldest first.',
  });

export const refundListSchema = z
  .object({ refunds: z.array(refundSchema), total: z.int().min(0).meta({ description: 'The number of refunds.' }) })
  .meta({ id: 'RefundList', description: 'All refunds of one invoice, newest first.' });

export type RefundOrder = z.output<typeof refundOrderSchema>;
