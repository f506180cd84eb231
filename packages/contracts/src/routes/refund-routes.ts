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
    summary: 'Give money of a paid invoice back',
    description:
      'In parts or whole, never more than was paid. Builders and platform give back what they had of it. With an `Idempotency-Key` the same refund is ordered once, for ever; without one each call is another.',
    params: oneInvoice,
    body: refundOrderSchema,
    idempotencyKey: true,
    responses: {
      201: { description: 'The refund as it stands.', schema: refundSchema, headers: ['Idempotent-Replayed'] },
    },
    errors: ['not_found', 'invoice_not_paid', 'refund_too_large'],
  },
  {
    ...operator,
    operationId: 'listRefunds',
    method: 'GET',
    path: '/v1/operator/invoices/{invoice_id}/refunds',
    summary: 'What of an invoice was given back',
    params: oneInvoice,
    responses: { 200: { description: 'All of them.', schema: refundListSchema } },
    errors: ['not_found'],
  },
];
