import { micros, sumMicros, type Micros } from '@tollgate/kernel/money';
import type { Line } from '@tollgate/pricing/line';
import { outstandingLines } from './outstanding-lines.ts';
import { toWholeCents, type WholeCents } from '@tollgate/kernel/whole-cents';

/** Everything that decides one consumer's invoice. */
export interface InvoiceFacts {
  readonly consumerId: string;
  readonly period: string;
  /** The lines of all usage counted so far, of this period and of the months that the close looks back at. */
  readonly rated: readonly Line[];
  /** The lines of the same periods that earlier invoices have billed. */
  readonly billed: readonly Line[];
  readonly carriedInMicros: Micros;
  readonly minimumMicros: Micros;
}

export interface InvoicePlan extends WholeCents {
  readonly consumerId: string;
  readonly period: string;
  /** Ordered by period, tool, price version and charge. A line of an earlier period is an adjustment. */
  readonly lines: readonly Line[];
  /** The number of all lines; `lines` may be only the first of them. */
  readonly lineCount: number;
  readonly chargeMicros: Micros;
  readonly carriedInMicros: Micros;
}

/**
 * Plans an invoice; the close stores it and the preview shows it. It has every line that was rated and not billed:
 * lines of its own period, and adjustments of earlier periods.
 */
export function planInvoice({ consumerId, period, rated, billed, ...money }: InvoiceFacts): InvoicePlan {
  const lines = outstandingLines(
    rated.filter((line) => line.period <= period),
    billed,
  );
  const chargeMicros = sumMicros(lines.map((line) => line.chargeMicros));
  const owedMicros = micros(chargeMicros + money.carriedInMicros);
  const { carriedInMicros } = money;
  const cents = toWholeCents(owedMicros, money.minimumMicros);
  return { consumerId, period, lines, lineCount: lines.length, chargeMicros, carriedInMicros, ...cents };
}
