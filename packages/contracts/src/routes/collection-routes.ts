import { z } from 'zod';
import { idSchema } from '../id.ts';
import { invoiceSchema } from '../invoices.ts';
import { processorAttemptListSchema } from '../processor-attempts.ts';
import type { Route } from '../route.ts';

const operator = { access: 'operator', tag: 'Operator', service: 'billing' } as const;
const oneInvoice = z.object({ invoice_id: idSchema });

export const collectionRoutes: readonly Route[] = [
  {
    ...operator,
    operationId: 'voidInvoice',
    method: 'POST',
    path: '/v1/operator/invoices/{invoice_id}/void',
    summary: 'Void an invoice that is not paid',
    description:
      'It is not owed any more, and its builders earn nothing by it. For good; again: the same answer. What it carried out stays on the next invoice.',
    params: oneInvoice,
    responses: { 200: { description: 'The invoice, void.', schema: invoiceSchema } },
    errors: ['not_found', 'invoice_paid', 'charge_unresolved'],
  },
  {
    ...operator,
    operationId: 'listInvoiceAttempts',
    method: 'GET',
    path: '/v1/operator/invoices/{invoice_id}/attempts',
    summary: 'How it was tried to collect an invoice',
    params: oneInvoice,
    responses: { 200: { description: 'Each charge that was ordered.', schema: processorAttemptListSchema } },
    errors: ['not_found'],
  },
];
