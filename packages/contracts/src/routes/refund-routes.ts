import { z } from 'zod';
import { idSchema } from '../id.ts';
import { refundListSchema, refundOrderSchema, refundSchema } from '../refunds.ts';
import type { Route } from '../route.ts';

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
      'Refunds a part or all of it, never more than was paid. Builders and platform return their share. With an `Idempotency-Key` a refund is ordered only once, for ever; without a key each request is another refund.',
    params: oneInvoice,
    body: refundOrderSchema,
    idempotencyKey: true,
    responses: {
      201: { description: 'The current state of the refund.', schema: refundSchema, headers: ['Idempotent-Replayed'] },
    },
    errors: ['not_found', 'invoice_not_paid', 'refund_too_large'],
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
];
