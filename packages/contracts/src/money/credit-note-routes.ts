import { z } from 'zod';
import { creditNoteListSchema, creditNoteQuerySchema, creditNoteSchema } from './credit-notes.ts';
import { idSchema } from '../forms/id.ts';
import { invoicePdfSchema } from './invoices.ts';
import type { Route } from '../routes/route.ts';

const credits = { access: 'account', tag: 'Billing', service: 'billing', method: 'GET' } as const;
const params = z.object({ id: idSchema });

export const creditNoteRoutes: readonly Route[] = [
  {
    ...credits,
    operationId: 'listCreditNotes',
    path: '/v1/billing/credit-notes',
    summary: 'List your credit notes',
    description: 'Lists the documents of all refunds, newest first. A refund of money that no invoice needed has none.',
    query: creditNoteQuerySchema,
    responses: { 200: { description: 'A page of credit notes.', schema: creditNoteListSchema } },
    errors: [],
  },
  {
    ...credits,
    operationId: 'getCreditNotePdf',
    path: '/v1/billing/credit-notes/{id}.pdf',
    summary: 'Download a credit note as PDF',
    isExport: true,
    description: 'A4. The bytes never change. While too many PDFs wait, the answer is 503 `pdf_busy`.',
    params,
    responses: { 200: { description: 'The note.', schema: invoicePdfSchema, mediaTypes: ['application/pdf'] } },
    errors: ['not_found', 'pdf_busy'],
  },
  {
    ...credits,
    operationId: 'getCreditNote',
    path: '/v1/billing/credit-notes/{id}',
    summary: 'Get a credit note',
    params,
    responses: { 200: { description: 'The credit note.', schema: creditNoteSchema } },
    errors: ['not_found'],
  },
];
