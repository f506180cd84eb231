import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { invoiceSchema } from './invoices.ts';
import { processorAttemptListSchema } from '../operator/processor-attempts.ts';
import type { Route } from '../routes/route.ts';

const operator = { access: 'operator', tag: 'Operator', service: 'billing' } as const;
const oneInvoice = z.object({ invoice_id: idSchema });

export const collectionRoutes: readonly Route[] = [
  {
    ...operator,
    operationId: 'voidInvoice',
    method: 'POST',
    idempotencyKey: { refused: 'an invoice is voided once' },
    path: '/v1/operator/invoices/{invoice_id}/void',
    summary: 'Void an unpaid invoice',
    description:
      'The consumer no longer owes it, and its builders earn nothing from it. This is final, and a repeated request has the same answer. An amount that it carried out stays on the next invoice.',
    params: oneInvoice,
    responses: { 200: { description: 'The voided invoice.', schema: invoiceSchema } },
    errors: ['not_found', 'invoice_paid', 'charge_unresolved'],
  },
  {
    ...operator,
    operationId: 'confirmInvoice',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat confirms nothing more' },
    path: '/v1/operator/invoices/{invoice_id}/confirm',
    summary: 'Confirm an invoice above the bound of one collection',
    description:
      'An invoice above `INVOICE_COLLECT_MAX_USD` is not charged before it is confirmed. It is due at once, and a repeated request has the same answer. One above 99,999,999.99 USD is never charged: void it.',
    params: oneInvoice,
    responses: { 200: { description: 'The confirmed invoice.', schema: invoiceSchema } },
    errors: ['not_found', 'invoice_not_held', 'invoice_too_large'],
  },
  {
    ...operator,
    operationId: 'listInvoiceAttempts',
    method: 'GET',
    path: '/v1/operator/invoices/{invoice_id}/attempts',
    summary: 'List collection attempts of an invoice',
    params: oneInvoice,
    responses: {
      200: { description: 'All charges that were ordered for the invoice.', schema: processorAttemptListSchema },
    },
    errors: ['not_found'],
  },
];
