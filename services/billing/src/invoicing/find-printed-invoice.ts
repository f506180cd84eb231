import type { Price } from '@tollgate/contracts/tools/price';
import type { Database, Queryable, Transaction } from '@tollgate/database/database';
import type { OwnInvoice } from './find-invoice.ts';
import { invoiceNotFound } from './find-invoice.ts';
import type { Invoice } from './invoice.ts';
import type { Parties } from './party.ts';
import { findAccount } from './sql-accounts.ts';
import { readInvoiceParties, readToolNames } from './sql-invoice-parties.ts';
import { readInvoice } from './sql-invoices.ts';
import { readPrices } from './sql-read-prices.ts';
import { sumLinesByTool, type ToolSum } from './sql-sum-by-tool.ts';
import { listPayingCharges } from '../processor/sql-paying-charges.ts';

/** An invoice with what its print needs beside it. */
export interface PrintedInvoice {
  readonly invoice: Invoice;
  /** The e-mail address of its consumer. */
  readonly email: string;
  /** Printed instead of the lines where there are too many. Null: all lines are printed. */
  readonly toolSums: readonly ToolSum[] | null;
  /** The price versions of the printed lines, by id. */
  readonly prices: ReadonlyMap<string, Price>;
  /** Undefined for an invoice from before they were kept. */
  readonly parties: Parties | undefined;
  /** The names that the printed tools had when it was issued, by id. */
  readonly toolNames: ReadonlyMap<string, string>;
  /** The processor's ids of the charges that paid it, in their order. */
  readonly chargeIds: readonly string[];
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
    const found = await database.transaction((tx) => readPrinted(tx, { consumerId, id }), { accountId: consumerId });
    if (found === undefined) throw invoiceNotFound(id); // first, so that an unknown id looks up no account
    const account = await findAccount(worker, consumerId);
    if (account === undefined) throw new Error(`account ${consumerId} has an invoice but does not exist`);
    const chargeIds = (await listPayingCharges(worker, id)).map(({ objectId }) => objectId);
    return { ...found, email: account.email, chargeIds };
  };
}

async function readPrinted(tx: Transaction, { consumerId, id }: OwnInvoice) {
  const invoice = await readInvoice(tx, { consumerId, id, linesMax: printedRowsMax });
  if (invoice === undefined) return undefined;
  const isWhole = invoice.lineCount <= printedRowsMax;
  const toolSums = isWhole ? null : await sumLinesByTool(tx, id, printedRowsMax);
  const prices = isWhole
    ? await readPrices(
        tx,
        invoice.lines.map(({ priceId }) => priceId),
      )
    : noPrices;
  const toolIds = (toolSums ?? invoice.lines).map(({ toolId }) => toolId);
  const toolNames = await readToolNames(tx, { invoiceId: id, toolIds });
  return { invoice, toolSums, prices, toolNames, parties: await readInvoiceParties(tx, id) };
}

export type FindPrintedInvoice = ReturnType<typeof createFindPrintedInvoice>;
