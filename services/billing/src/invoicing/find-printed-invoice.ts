import type { Invoice } from './invoice.ts';
import type { Queryable } from '@tollgate/database/database';
import { findAccount } from './sql-accounts.ts';
import type { FindInvoice, OwnInvoice } from './find-invoice.ts';

/** An invoice, with the email address of its consumer. */
export interface PrintedInvoice {
  readonly invoice: Invoice;
  readonly email: string;
}

export interface FindPrintedInvoiceDeps {
  readonly findInvoice: FindInvoice;
  /** A connection with the role that may read every account. */
  readonly worker: Queryable;
}

/** Finds an invoice of this consumer with its address. Throws `not_found` as `findInvoice` does. */
export function createFindPrintedInvoice({ findInvoice, worker }: FindPrintedInvoiceDeps) {
  return async function findPrintedInvoice(own: OwnInvoice): Promise<PrintedInvoice> {
    const invoice = await findInvoice(own); // first, so that a foreign or unknown id gets 404 without looking up an account
    const account = await findAccount(worker, invoice.consumerId);
    if (account === undefined) throw new Error(`account ${invoice.consumerId} has an invoice but does not exist`);
    return { invoice, email: account.email };
  };
}

export type FindPrintedInvoice = ReturnType<typeof createFindPrintedInvoice>;
