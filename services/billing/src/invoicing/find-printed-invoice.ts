import type { Invoice } from './invoice.ts';
import type { Queryable } from '@tollgate/database/database';
import { findAccount } from './sql-accounts.ts';
import type { FindInvoice, OwnInvoice } from './find-invoice.ts';

/** An invoice, and to whom it goes. */
export interface PrintedInvoice {
  readonly invoice: Invoice;
  readonly email: string;
}

export interface FindPrintedInvoiceDeps {
  readonly findInvoice: FindInvoice;
  /** As the role that may read everybody's account. */
  readonly worker: Queryable;
}

export function createFindPrintedInvoice({ findInvoice, worker }: FindPrintedInvoiceDeps) {
  return async function findPrintedInvoice(own: OwnInvoice): Promise<PrintedInvoice> {
    const invoice = await findInvoice(own); // first: what is nobody's, or another's, is 404 and looks no account up
    const account = await findAccount(worker, invoice.consumerId);
    if (account === undefined) throw new Error(`the account ${invoice.consumerId} has an invoice and is not there`);
    return { invoice, email: account.email };
  };
}

export type FindPrintedInvoice = ReturnType<typeof createFindPrintedInvoice>;
