import { planInvoice, type InvoiceFacts, type InvoicePlan } from './plan-invoice.ts';

export interface UpcomingFacts extends InvoiceFacts {
  /** The latest period that will not get an invoice any more, having one or being closed; null if there is none. */
  readonly settledThrough: string | null;
}

/** The invoice of `period` as it would be now: after those of the earlier periods that are still to be closed. */
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
