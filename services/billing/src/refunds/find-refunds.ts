import type { Database } from '@tollgate/database/database';
import { noSuchInvoice } from '../invoicing/no-such-invoice.ts';
import type { Refund } from './refund.ts';
import { hasInvoice } from '../invoicing/sql-invoices.ts';
import { listRefunds } from './sql-refunds.ts';

/** Lists the refunds of any consumer's invoice, newest first, for the operator. Throws `not_found`. */
export function createFindRefunds({ database }: { readonly database: Database }) {
  return async function findRefunds(invoiceId: string): Promise<Refund[]> {
    if (!(await hasInvoice(database, invoiceId))) throw noSuchInvoice(invoiceId);
    return listRefunds(database, invoiceId);
  };
}

export type FindRefunds = ReturnType<typeof createFindRefunds>;
