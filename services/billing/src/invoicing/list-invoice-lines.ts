import type { Database } from '@tollgate/database/database';
import type { ListPage } from '../catalogue/catalogue.ts';
import { invoiceNotFound, type OwnInvoice } from './find-invoice.ts';
import { readInvoiceLines, type PlacedLine } from './sql-invoice-lines.ts';
import { readInvoice } from './sql-invoices.ts';

export interface InvoiceLinesQuery extends OwnInvoice {
  /** The place of the line before the first of the page; 0 for the first page. */
  readonly afterPlace: number;
  readonly limit: number;
}

export interface InvoiceLines extends ListPage<PlacedLine> {
  /** The period of the invoice. */
  readonly period: string;
}

/** Lists the lines of a consumer's invoice in their order, a page of `limit` + 1. Throws `not_found` as `findInvoice` does. */
export function createListInvoiceLines({ database }: { readonly database: Database }) {
  return async function listInvoiceLines(query: InvoiceLinesQuery): Promise<InvoiceLines> {
    const { consumerId, id, afterPlace, limit } = query;
    return database.transaction(
      async (tx) => {
        const invoice = await readInvoice(tx, { consumerId, id, linesMax: 0 });
        if (invoice === undefined) throw invoiceNotFound(id);
        const rows = await readInvoiceLines(tx, { invoiceId: id, afterPlace, limit: limit + 1 });
        return { rows, total: invoice.lineCount, period: invoice.period };
      },
      { accountId: consumerId },
    );
  };
}

export type ListInvoiceLines = ReturnType<typeof createListInvoiceLines>;
