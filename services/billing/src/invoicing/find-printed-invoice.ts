import type { Price } from '@tollgate/contracts/price';
import type { Database, Queryable } from '@tollgate/database/database';
import type { OwnInvoice } from './find-invoice.ts';
import { invoiceNotFound } from './find-invoice.ts';
import type { Invoice } from './invoice.ts';
import { findAccount } from './sql-accounts.ts';
import { readInvoice } from './sql-invoices.ts';
import { readPrices } from './sql-read-prices.ts';
import { sumLinesByTool, type ToolSum } from './sql-sum-by-tool.ts';

/** An invoice with what its print needs beside it. */
export interface PrintedInvoice {
  readonly invoice: Invoice;
  /** The e-mail address of its consumer. */
  readonly email: string;
  /** Printed instead of the lines where there are too many. Null: all lines are printed. */
  readonly toolSums: readonly ToolSum[] | null;
  /** The price versions of the printed lines, by id. */
  readonly prices: ReadonlyMap<string, Price>;
}

export interface FindPrintedInvoiceDeps {
  readonly database: Database;
  /** A connection with the role that may read every account. */
  readonly worker: Queryable;
}

const noPrices: ReadonlyMap<string, Price> = new Map();

/** An invoice with more lines is printed with one row per tool, at most so many. A thousand rows take a second to set. */
const printedRowsMax = 500;

/** Finds an invoice of this consumer for its print. Throws `not_found` as `findInvoice` does. */
export function createFindPrintedInvoice({ database, worker }: FindPrintedInvoiceDeps) {
  return async function findPrintedInvoice({ consumerId, id }: OwnInvoice): Promise<PrintedInvoice> {
    const found = await database.transaction(
      async (tx) => {
        const invoice = await readInvoice(tx, { consumerId, id, linesMax: printedRowsMax });
        const isWhole = invoice === undefined || invoice.lineCount <= printedRowsMax;
        if (!isWhole) return { invoice, prices: noPrices, toolSums: await sumLinesByTool(tx, id, printedRowsMax) };
        const prices = await readPrices(tx, invoice?.lines.map(({ priceId }) => priceId) ?? []);
        return { invoice, prices, toolSums: null };
      },
      { accountId: consumerId },
    );
    const { invoice, ...printed } = found;
    if (invoice === undefined) throw invoiceNotFound(); // first, so that an unknown id looks up no account
    const account = await findAccount(worker, invoice.consumerId);
    if (account === undefined) throw new Error(`account ${invoice.consumerId} has an invoice but does not exist`);
    return { invoice, ...printed, email: account.email };
  };
}

export type FindPrintedInvoice = ReturnType<typeof createFindPrintedInvoice>;
