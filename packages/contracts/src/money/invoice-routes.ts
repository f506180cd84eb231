import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import {
  invoiceLineListSchema,
  invoiceListSchema,
  invoiceQuerySchema,
  invoicePdfSchema,
  invoiceSchema,
  upcomingInvoiceQuerySchema,
  upcomingInvoiceSchema,
} from './invoices.ts';
import { pageQuerySchema } from '../forms/lists.ts';
import type { Route } from '../routes/route.ts';
import { processorAttemptListSchema } from './processor-attempts.ts';

const billing = { service: 'billing', tag: 'Billing', access: 'account' } as const;

export const invoiceRoutes: readonly Route[] = [
  {
    ...billing,
    operationId: 'listInvoices',
    method: 'GET',
    path: '/v1/billing/invoices',
    summary: 'List invoices',
    description:
      'Lists your invoices as a consumer: one per period with something to bill, issued when the period closes.',
    query: invoiceQuerySchema,
    responses: { 200: { description: 'A page of invoices.', schema: invoiceListSchema } },
    errors: [],
  },
  {
    ...billing,
    operationId: 'getUpcomingInvoice',
    method: 'GET',
    path: '/v1/billing/invoices/upcoming',
    summary: 'Preview the next invoice',
    description:
      'Rates everything that is counted now. A period closes once `counted_through` has passed its end by 24 hours. For a closed period this is its invoice, or 404 if there was nothing to bill.',
    query: upcomingInvoiceQuerySchema,
    responses: { 200: { description: 'The draft, or the invoice.', schema: upcomingInvoiceSchema } },
    errors: ['not_found'],
  },
  {
    ...billing,
    operationId: 'getInvoice',
    method: 'GET',
    path: '/v1/billing/invoices/{id}',
    summary: 'Get an invoice',
    description: 'Has the first 1,000 lines. If there are more, `lines_truncated` is true.',
    params: z.object({ id: idSchema }),
    responses: { 200: { description: 'The invoice.', schema: invoiceSchema } },
    errors: ['not_found'],
  },
  {
    ...billing,
    operationId: 'getInvoicePdf',
    method: 'GET',
    path: '/v1/billing/invoices/{id}.pdf',
    summary: 'Download an invoice as PDF',
    isExport: true,
    description:
      'A4, as many pages as needed. The bytes are the same while the status is the same. An invoice of more than 500 lines has one row per tool. PDFs are made one after the other; while too many wait, the answer is 503 `pdf_busy`.',
    params: z.object({ id: idSchema }),
    responses: { 200: { description: 'The invoice.', schema: invoicePdfSchema, mediaTypes: ['application/pdf'] } },
    errors: ['not_found', 'pdf_busy'],
  },
  {
    ...billing,
    operationId: 'listInvoiceLines',
    method: 'GET',
    path: '/v1/billing/invoices/{id}/lines',
    summary: 'List the lines of an invoice',
    description: 'Lists all lines, in the order of the invoice.',
    params: z.object({ id: idSchema }),
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of lines.', schema: invoiceLineListSchema } },
    errors: ['not_found'],
  },
];

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
