import type { PrintedInvoice } from '../invoices.ts';
import { toInvoiceTexts, type InvoiceTexts } from './invoice-texts.ts';

/** All that a print shows: plain values, so that a thread can be sent them. Equal values give equal bytes. */
export interface PrintableInvoice {
  readonly texts: InvoiceTexts;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

export function toPrintableInvoice(printed: PrintedInvoice): PrintableInvoice {
  const { issuedAtMs, paidAtMs } = printed.invoice;
  return { texts: toInvoiceTexts(printed), createdAtMs: issuedAtMs, changedAtMs: paidAtMs ?? issuedAtMs };
}
