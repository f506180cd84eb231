import type { Clock } from '@tollgate/kernel/clock';
import type { Micros } from '@tollgate/kernel/money';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { readWatermark } from '../usage/sql-watermark.ts';
import { createCloseDuePeriods } from './close-due-periods.ts';
import { billingDetailsController, invoicesController } from './invoices.controller.ts';
import {
  operatorInvoicesController,
  periodsController,
  unclosedConsumersController,
} from './operator-invoices.controller.ts';
import type { Issuer } from './party.ts';
import { createPdfPrinter } from './pdf/pdf-printer.ts';
import { createPrintMailedInvoices } from './print-mailed-invoices.ts';
import { createPreviewInvoice, createReadUnbilled, createReadUnbilledCharges } from './preview-invoice.ts';
import { createObserveClosing, createRetryUnclosed } from './retry-unclosed.ts';
import { createInvoices } from './invoices.ts';

export interface InvoicingDeps {
  readonly api: Database;
  readonly worker: Database;
  readonly jobs: Database;
  readonly minimumMicros: Micros;
  readonly issuer?: Issuer | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly batchConsumersMax?: number;
  readonly batchUsageRowsMax?: number;
}

/** Wires the close of periods, and the routes that list, print and preview invoices. */
export function wireInvoicing({
  api,
  worker,
  jobs,
  minimumMicros,
  issuer,
  clock,
  log,
  metrics,
  ...limits
}: InvoicingDeps) {
  const printer = createPdfPrinter();
  const invoices = createInvoices({ api, worker, minimumMicros });
  const { findPrintedInvoice } = invoices;
  const printMailed = createPrintMailedInvoices({ worker, findPrintedInvoice, print: printer.print, log });
  const unbilled = { database: worker, previewInvoice: createPreviewInvoice({ database: worker, minimumMicros }) };
  return {
    closeDuePeriods: createCloseDuePeriods({ database: jobs, minimumMicros, issuer, log, ...limits }),
    dueSteps: [
      createRetryUnclosed({ database: jobs, minimumMicros, issuer, log }),
      ...(metrics ? [createObserveClosing({ database: jobs, metrics })] : []),
    ],
    controllers: [
      invoicesController(invoices, printer.print, clock),
      billingDetailsController({ database: api, clock }),
      periodsController(() => readWatermark(worker)),
      operatorInvoicesController(worker),
      unclosedConsumersController(worker),
    ],
    printPdf: printer.print,
    readUnbilled: createReadUnbilled(unbilled),
    readUnbilledCharges: createReadUnbilledCharges(unbilled),
    parts: [printer, printMailed],
  };
}
