import type { Price } from '@tollgate/contracts/tools/price';
import type { Database, Queryable, Transaction } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Micros } from '@tollgate/kernel/money';
import type { Invoice } from './invoice.ts';
import type { Parties } from './party.ts';
import { findAccount } from './sql-accounts.ts';
import { readInvoiceParties, readToolNames, readPrices, sumLinesByTool, type ToolSum } from './sql-invoice-parties.ts';
import { readInvoice, readInvoicePage, type InvoicePageQuery } from './sql-invoices.ts';
import { listPayingCharges } from '../processor/sql-attempts.ts';
import type { ListPage } from '../catalogue/catalogue.ts';
import { readInvoiceLines, type PlacedLine } from './sql-invoice-lines.ts';
import { createPreviewInvoice } from './preview-invoice.ts';

/** The edges of the verbs that read invoices. */
export interface InvoicesDeps {
  /** Reads what one consumer may see. */
  readonly api: Database;
  /** Reads every account. */
  readonly worker: Queryable;
  readonly minimumMicros: Micros;
}

/** Creates what consumers can ask of their invoices. */
export function createInvoices({ api, worker, minimumMicros }: InvoicesDeps) {
  return {
    listInvoices,
    findInvoice,
    findPrintedInvoice,
    listInvoiceLines,
    previewInvoice: createPreviewInvoice({ database: api, minimumMicros }),
  };

  /** Lists the invoices of one consumer, newest first. */
  async function listInvoices(query: InvoicePageQuery): Promise<ListPage<Invoice>> {
    return api.transaction((tx) => readInvoicePage(tx, query), { accountId: query.consumerId });
  }

  /** Finds an invoice of this consumer. Throws `not_found` for an unknown id, and for an invoice of another consumer. */
  async function findInvoice({ consumerId, id }: OwnInvoice): Promise<Invoice> {
    const invoice = await api.transaction((tx) => readInvoice(tx, { consumerId, id }), { accountId: consumerId });
    if (invoice === undefined) throw invoiceNotFound(id);
    return invoice;
  }

  /** Finds an invoice of this consumer for its print. Throws `not_found` as `findInvoice` does. */
  async function findPrintedInvoice({ consumerId, id }: OwnInvoice): Promise<PrintedInvoice> {
    const found = await api.transaction((tx) => readPrinted(tx, { consumerId, id }), { accountId: consumerId });
    if (found === undefined) throw invoiceNotFound(id); // first, so that an unknown id looks up no account
    const account = await findAccount(worker, consumerId);
    if (account === undefined) throw new Error(`account ${consumerId} has an invoice but does not exist`);
    const chargeIds = (await listPayingCharges(worker, id)).map(({ objectId }) => objectId);
    return { ...found, email: account.email, chargeIds };
  }

  /** Lists the lines of a consumer's invoice in their order, a page of `limit` + 1. Throws `not_found` as `findInvoice` does. */
  async function listInvoiceLines(query: InvoiceLinesQuery): Promise<InvoiceLines> {
    const { consumerId, id, afterPlace, limit } = query;
    return api.transaction(
      async (tx) => {
        const invoice = await readInvoice(tx, { consumerId, id, linesMax: 0 });
        if (invoice === undefined) throw invoiceNotFound(id);
        const rows = await readInvoiceLines(tx, { invoiceId: id, afterPlace, limit: limit + 1 });
        return { rows, total: invoice.lineCount, period: invoice.period };
      },
      { accountId: consumerId },
    );
  }
}

export type Invoices = ReturnType<typeof createInvoices>;

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

const noPrices: ReadonlyMap<string, Price> = new Map();

/** An invoice with more lines is printed with one row per tool, at most so many. A thousand rows take a second to set. */
const printedRowsMax = 500;

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

interface OwnInvoice {
  readonly consumerId: string;
  readonly id: string;
}

function invoiceNotFound(id: string): AppError {
  return new AppError('not_found', `You have no invoice \`${id}\`.`);
}

export interface InvoiceLinesQuery extends OwnInvoice {
  /** The place of the line before the first of the page; 0 for the first page. */
  readonly afterPlace: number;
  readonly limit: number;
}

export interface InvoiceLines extends ListPage<PlacedLine> {
  /** The period of the invoice. */
  readonly period: string;
}
