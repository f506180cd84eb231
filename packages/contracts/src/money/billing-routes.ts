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

const billing = { service: 'billing', tag: 'Billing', access: 'account' } as const;

export const billingRoutes: readonly Route[] = [
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
