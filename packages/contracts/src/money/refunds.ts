import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { optional } from '../forms/optional.ts';
import { slugSchema } from '../forms/slug.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { usdAmountSchema } from '../forms/usd-amount.ts';
import { reportQuerySchema } from '../forms/lists.ts';
import type { Route } from '../routes/route.ts';

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

const refundSchema = z
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

const strayMoneyListSchema = z
  .object({
    stray_money: z.array(strayMoneySchema),
    total: z.int().min(0).meta({ description: 'The number of orders.' }),
    left_usd: z.number().meta({ description: 'The sum of what is left.' }),
  })
  .meta({
    id: 'StrayMoneyList',
    description: 'Collected money that belongs to no invoice and no builder, oldest first.',
  });

const refundListSchema = z
  .object({ refunds: z.array(refundSchema), total: z.int().min(0).meta({ description: 'The number of refunds.' }) })
  .meta({ id: 'RefundList', description: 'All refunds of one invoice, newest first.' });

export type RefundOrder = z.output<typeof refundOrderSchema>;

const operator = { access: 'operator', tag: 'Operator', service: 'billing' } as const;
const oneInvoice = z.object({ invoice_id: idSchema });

export const refundRoutes: readonly Route[] = [
  {
    ...operator,
    operationId: 'refundInvoice',
    method: 'POST',
    path: '/v1/operator/invoices/{invoice_id}/refunds',
    summary: 'Refund a paid invoice',
    description:
      'Refunds a part or all of it, never more than was paid. Builders and platform return their share. `lines` and `builder_id` say whose. A charge whose dispute is open gives nothing back before it is decided: what other charges and the balance paid can. If several charges paid the invoice and none has enough left, there are several refunds, and the answer is the first: all have its `order_id`. With an `Idempotency-Key` a refund is ordered only once, for ever; without a key each request is another refund.',
    params: oneInvoice,
    body: refundOrderSchema,
    idempotencyKey: 'replayed',
    responses: {
      201: {
        description: 'The current state of the refund, the first of its order.',
        schema: refundSchema,
        headers: ['Idempotent-Replayed'],
      },
    },
    errors: ['not_found', 'invoice_not_paid', 'charge_disputed', 'refund_line_unknown', 'refund_too_large'],
  },
  {
    ...operator,
    operationId: 'listRefunds',
    method: 'GET',
    path: '/v1/operator/invoices/{invoice_id}/refunds',
    summary: 'List the refunds of an invoice',
    params: oneInvoice,
    responses: { 200: { description: 'All refunds of the invoice.', schema: refundListSchema } },
    errors: ['not_found'],
  },
  {
    ...operator,
    operationId: 'listStrayMoney',
    method: 'GET',
    path: '/v1/operator/stray-money',
    summary: 'List stray money',
    description:
      'Lists money that was collected and belongs to nobody here: charges that their invoices did not need, and refunds that a bank returned. It waits in the ledger account `rounding`.',
    query: reportQuerySchema,
    responses: { 200: { description: 'All of it.', schema: strayMoneyListSchema, isAlsoCsv: true } },
    errors: [],
  },
  {
    ...operator,
    operationId: 'returnStrayMoney',
    method: 'POST',
    idempotencyKey: { refused: 'stray money is returned once' },
    path: '/v1/operator/stray-money/{attempt_id}/refund',
    summary: 'Refund stray money',
    description:
      'Refunds all that is left of it to the consumer. No invoice and no builder changes. A repeat refunds nothing twice: it gets 409 `nothing_stray`.',
    params: z.object({ attempt_id: idSchema }),
    responses: { 201: { description: 'The current state of the refund.', schema: refundSchema } },
    errors: ['not_found', 'nothing_stray', 'charge_disputed'],
  },
];
