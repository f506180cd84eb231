import { isAppError } from '@tollgate/kernel/app-error';
import type { Service } from '@tollgate/kernel/service';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { Invoices } from './invoices.ts';
import type { PdfPrinter } from './pdf/pdf-printer.ts';
import { toPrintableInvoice } from './pdf/printable-invoice.ts';
import { forgetMailedPrints, insertMailedPrint, listUnprintedMails, type MailedInvoice } from './sql-mailed-print.ts';

export interface PrintMailedInvoicesDeps {
  readonly worker: Database;
  readonly findPrintedInvoice: Invoices['findPrintedInvoice'];
  readonly print: PdfPrinter['print'];
  readonly log: Logger;
}

const everyMs = 2_000;
const invoicesMax = 20;
/** Mail servers take 10 MB and more, of which base64 needs a third. */
const bytesMax = 7_000_000;

/**
 * Prints the invoices that the notifier mails, and keeps each print until its mail is sent. Safe to run in two processes at
 * once: the first print of an invoice stays. One that cannot be printed goes without, so that it is mailed all the same.
 */
export function createPrintMailedInvoices(deps: PrintMailedInvoicesDeps): Service {
  const { worker, findPrintedInvoice, print, log } = deps;
  const stopping = new AbortController();

  async function run(): Promise<void> {
    await forgetMailedPrints(worker);
    for (const invoice of await listUnprintedMails(worker, invoicesMax)) {
      if (stopping.signal.aborted) return;
      const pdf = await printOrExplain(invoice);
      if (pdf === 'later') return;
      await insertMailedPrint(worker, invoice.id, pdf);
    }
  }

  async function printOrExplain(invoice: MailedInvoice): Promise<Buffer | null | 'later'> {
    try {
      const pdf = await print(toPrintableInvoice(await findPrintedInvoice(invoice)), stopping.signal);
      return pdf.length <= bytesMax ? pdf : null;
    } catch (error) {
      if (stopping.signal.aborted || isAppError(error, 'unavailable')) return 'later';
      log.error({ invoice: invoice.id, err: error }, 'an invoice could not be printed; it is mailed without its PDF');
      return null;
    }
  }

  const repeated = every({ name: 'print-mailed-invoices', run, everyMs, log });
  return {
    name: repeated.name,
    start: repeated.start,
    async stop() {
      stopping.abort();
      await repeated.stop();
    },
  };
}
