import { micros, sumMicros, type Micros } from '@tollgate/kernel/money';
import type { Line } from '@tollgate/pricing/line';
import { outstandingLines } from './outstanding-lines.ts';
import { toWholeCents, type WholeCents } from '@tollgate/kernel/whole-cents';

/** All that an invoice follows from; of one consumer. */
export interface InvoiceFacts {
  readonly consumerId: string;
  readonly period: string;
  /** Of all that is counted so far for this period, and for those before it that are looked back at. */
  readonly rated: readonly Line[];
  /** What earlier invoices bill of the same periods. */
  readonly billed: readonly Line[];
  readonly carriedInMicros: Micros;
  readonly minimumMicros: Micros;
}

export interface InvoicePlan extends WholeCents {
  readonly consumerId: string;
  readonly period: string;
  /** In the order (period, tool, price version, charge). One of an earlier period than the invoice's is its adjustment. */
  readonly lines: readonly Line[];
  readonly chargeMicros: Micros;
  readonly carriedInMicros: Micros;
}

/**
 * The invoice, for the close that stores it and for the preview that only shows it. Whatever of the periods up to its own
 * was rated and never billed is on it: its own lines, and what was counted late for those that are closed.
 */
export function planInvoice({ consumerId, period, rated, billed, ...money }: InvoiceFacts): InvoicePlan {
  const lines = outstandingLines(
    rated.filter((line) => line.period <= period),
    billed,
  );
  const chargeMicros = sumMicros(lines.map((line) => line.chargeMicros));
  const owedMicros = micros(chargeMicros + money.carriedInMicros);
  const { carriedInMicros } = money;
  return { consumerId, period, lines, chargeMicros, carriedInMicros, ...toWholeCents(owedMicros, money.minimumMicros) };
}
