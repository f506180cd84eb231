import type { Database } from '@tollgate/database/database';
import type { Invoice } from './invoice.ts';
import { readInvoicePage, type InvoicePageQuery } from './sql-invoices.ts';
import type { ListPage } from '../catalogue/catalogue.ts';

/** Lists the invoices of one consumer, newest first. */
export function createListInvoices({ database }: { readonly database: Database }) {
  return async function listInvoices(query: InvoicePageQuery): Promise<ListPage<Invoice>> {
    return database.transaction((tx) => readInvoicePage(tx, query), { accountId: query.consumerId });
  };
}

export type ListInvoices = ReturnType<typeof createListInvoices>;
