import { Listing } from './listing.ts';
import type { Query } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

export function invoicesOf(call: Call) {
  return {
    list: (query?: Query<'listInvoices'>, options?: CallOptions) =>
      new Listing(call, { id: 'listInvoices', query, options }, (page) => page.invoices),
    /** The next invoice as it would be now. */
    upcoming: (query?: Query<'getUpcomingInvoice'>, options?: CallOptions) =>
      call('getUpcomingInvoice', { query }, options),
    get: (id: string, options?: CallOptions) => call('getInvoice', { path: { id } }, options),
    /** The invoice as PDF. */
    pdf: (id: string, options?: CallOptions) => call('getInvoicePdf', { path: { id } }, options),
    lines: (id: string, query?: Query<'listInvoiceLines'>, options?: CallOptions) =>
      new Listing(call, { id: 'listInvoiceLines', path: { id }, query, options }, (page) => page.lines),
    /** The documents of refunds. */
    creditNotes: (query?: Query<'listCreditNotes'>, options?: CallOptions) =>
      new Listing(call, { id: 'listCreditNotes', query, options }, (page) => page.credit_notes),
    creditNote: (id: string, options?: CallOptions) => call('getCreditNote', { path: { id } }, options),
    /** The credit note as PDF. */
    creditNotePdf: (id: string, options?: CallOptions) => call('getCreditNotePdf', { path: { id } }, options),
  };
}
