import { z } from 'zod';
import { idSchema } from '../id.ts';
import {
  invoiceListSchema,
  invoicePdfSchema,
  invoiceSchema,
  upcomingInvoiceQuerySchema,
  upcomingInvoiceSchema,
} from '../invoices.ts';
import { pageQuerySchema } from '../lists.ts';
import type { Route } from '../route.ts';

const billing = { service: 'billing', tag: 'Billing', access: 'account' } as const;

export const billingRoutes: readonly Route[] = [
  {
    ...billing,
    operationId: 'listInvoices',
    method: 'GET',
    path: '/v1/billing/invoices',
    summary: 'List invoices',
    description: 'Yours as a consumer: one a period that had anything to bill, made when the period is closed.',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of invoices.', schema: invoiceListSchema } },
    errors: [],
  },
  {
    ...billing,
    operationId: 'getUpcomingInvoice',
    method: 'GET',
    path: '/v1/billing/invoices/upcoming',
    summary: 'The next invoice, as it would be now',
    description:
      'Rated live from what is counted. A period closes once it ended 24 hours before `counted_through`; then this is its invoice, or 404 where nothing was to bill.',
    query: upcomingInvoiceQuerySchema,
    responses: { 200: { description: 'The draft, or the invoice.', schema: upcomingInvoiceSchema } },
    errors: ['not_found'],
  },
  {
    ...billing,
    operationId: 'getInvoice',
    method: 'GET',
    path: '/v1/billing/invoices/{id}',
    summary: 'An invoice',
    params: z.object({ id: idSchema }),
    responses: { 200: { description: 'The invoice.', schema: invoiceSchema } },
    errors: ['not_found'],
  },
  {
    ...billing,
    operationId: 'getInvoicePdf',
    method: 'GET',
    path: '/v1/billing/invoices/{id}.pdf',
    summary: 'An invoice to print',
    description: 'A4, as many pages as it takes; the same bytes each time while the status is the same.',
    params: z.object({ id: idSchema }),
    responses: { 200: { description: 'The invoice.', schema: invoicePdfSchema, mediaTypes: ['application/pdf'] } },
    errors: ['not_found'],
  },
];
