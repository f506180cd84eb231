import type { Invoice } from './invoice.ts';
import type { AccountDirectory } from './account-directory.ts';
import type { FindInvoice, OwnInvoice } from './find-invoice.ts';

/** An invoice, and to whom it goes. */
export interface PrintedInvoice {
  readonly invoice: Invoice;
  readonly email: string;
}

export interface FindPrintedInvoiceDeps {
  readonly findInvoice: FindInvoice;
  readonly accounts: Pick<AccountDirectory, 'find'>;
}

export function createFindPrintedInvoice({ findInvoice, accounts }: FindPrintedInvoiceDeps) {
  return async function findPrintedInvoice(own: OwnInvoice): Promise<PrintedInvoice> {
    const invoice = await findInvoice(own); // first: what is nobody's, or another's, is 404 and looks no account up
    const account = await accounts.find(invoice.consumerId);
    if (account === undefined) throw new Error(`the account ${invoice.consumerId} has an invoice and is not there`);
    return { invoice, email: account.email };
  };
}

export type FindPrintedInvoice = ReturnType<typeof createFindPrintedInvoice>;
