import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { refundListSchema, refundOrderSchema, refundSchema, strayMoneyListSchema } from './refunds.ts';
import { reportQuerySchema } from '../operator/operator-lists.ts';
import type { Route } from '../routes/route.ts';

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
