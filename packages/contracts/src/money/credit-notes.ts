import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQueryShape } from '../forms/lists.ts';
import { periodSchema } from '../forms/period.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { invoicePdfSchema } from './invoices.ts';
import type { Route } from '../routes/route.ts';

export const noteShape = {
  id: idSchema.meta({ description: 'The id of the credit note, and of its refund.' }),
  number: z.int().min(1).meta({ description: 'The number of the note, without gaps over all notes.' }),
  invoice_id: idSchema.meta({ description: 'The invoice that it credits, which stays as it was issued.' }),
  invoice_number: z.int().min(1).meta({ description: 'The number of that invoice.' }),
  period: periodSchema.meta({ description: 'The month of that invoice.' }),
  currency: z.literal('usd'),
  amount_usd: z.number().meta({ description: 'Whole cents. Below 0 if money of a lost dispute came back.' }),
  cause: z.enum(['operator', 'dispute', 'processor', 'reinstated']).meta({ description: 'The cause of its refund.' }),
  issued_at: isoTimeSchema.meta({ description: 'When the money went back.' }),
};

const creditNoteSummarySchema = z
  .object(noteShape)
  .meta({ id: 'CreditNoteSummary', description: 'A credit note without its lines.' });

const creditedToolSchema = z
  .object({
    tool_id: z.string().nullable().meta({ description: 'Null for all tools beyond the 500 largest.' }),
    amount_usd: z.number().meta({ description: 'What is credited of this tool’s charges.' }),
  })
  .meta({ id: 'CreditedTool' });

const creditNoteSchema = z
  .object({
    ...noteShape,
    lines: z.array(creditedToolSchema).meta({ description: 'One line per tool, largest first.' }),
  })
  .meta({ id: 'CreditNote', description: 'The document of a refund. It never changes.' });

export const creditNoteListSchema = listSchema({
  id: 'CreditNoteList',
  name: 'credit_notes',
  item: creditNoteSummarySchema,
});

export const creditNoteQuerySchema = z.object({
  ...pageQueryShape,
  invoice_id: idSchema.optional().meta({ description: 'Only the notes of this invoice.' }),
});

/** The content of a cursor of the list. */
export const creditNoteCursorSchema = z.tuple([z.string().regex(/^\d{1,18}$/)]);

export type CreditNote = z.infer<typeof creditNoteSchema>;
export type CreditNoteList = z.infer<typeof creditNoteListSchema>;

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
