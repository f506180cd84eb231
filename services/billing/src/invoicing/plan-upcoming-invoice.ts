import { planInvoice, type InvoiceFacts, type InvoicePlan } from './plan-invoice.ts';

export interface UpcomingFacts extends InvoiceFacts {
  /** The latest period that gets no further invoice: it has one, or it is closed. Null if there is no such period. */
  readonly settledThrough: string | null;
}

/**
 * Plans the invoice of `period` as it would be now. Earlier periods that are still open are planned first, since their
 * lines and remainders come before it.
 */
export function planUpcomingInvoice({ settledThrough, ...facts }: UpcomingFacts): InvoicePlan {
  let { billed, carriedInMicros } = facts;
  for (const period of openPeriodsBefore(facts, settledThrough)) {
    const plan = planInvoice({ ...facts, period, billed, carriedInMicros });
    billed = [...billed, ...plan.lines];
    carriedInMicros = plan.carriedOutMicros;
  }
  return planInvoice({ ...facts, billed, carriedInMicros });
}

function openPeriodsBefore({ rated, period: end }: InvoiceFacts, settledThrough: string | null): string[] {
  const periods = new Set(rated.map(({ period }) => period));
  return [...periods].filter((period) => period < end && (settledThrough === null || period > settledThrough)).sort();
}
