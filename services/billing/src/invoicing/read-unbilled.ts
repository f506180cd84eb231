import { periodBounds, periodOf } from '@tollgate/kernel/period';
import { micros, sumMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Database } from '@tollgate/database/database';
import { readLastClosedPeriod } from '../usage/sql-last-closed-period.ts';
import { followingPeriod } from './due-period.ts';
import type { InvoicePlan } from './plan-invoice.ts';
import type { PreviewInvoice } from './preview-invoice.ts';

export interface ReadUnbilledDeps {
  readonly database: Database;
  readonly previewInvoice: PreviewInvoice;
}

/**
 * Reads what an account's calls come to that no invoice has billed yet: the invoices of the open months as they would be
 * now, with what the last one carries on. Throws `unavailable` while another large preview is made.
 */
export function createReadUnbilled(deps: ReadUnbilledDeps) {
  return async function readUnbilled(consumerId: string, nowMs: number): Promise<Micros> {
    let [billedMicros, carriedMicros] = [zeroMicros, zeroMicros];
    for (const { totalCents, carriedOutMicros } of await planOpenMonths(deps, consumerId, nowMs)) {
      billedMicros = micros(billedMicros + centsToMicros(totalCents));
      carriedMicros = carriedOutMicros;
    }
    return micros(billedMicros + carriedMicros);
  };
}

/** The same of the calls alone, without what the last stored invoice carries on. */
export function createReadUnbilledCharges(deps: ReadUnbilledDeps) {
  return async function readUnbilledCharges(consumerId: string, nowMs: number): Promise<Micros> {
    return sumMicros((await planOpenMonths(deps, consumerId, nowMs)).map(({ chargeMicros }) => chargeMicros));
  };
}

async function planOpenMonths(
  { database, previewInvoice }: ReadUnbilledDeps,
  consumerId: string,
  nowMs: number,
): Promise<InvoicePlan[]> {
  const lastClosed = await database.transaction(readLastClosedPeriod);
  const plans: InvoicePlan[] = [];
  for (const period of openMonths(lastClosed, nowMs)) {
    const plan = await previewInvoice({ consumerId, period });
    if (!('id' in plan)) plans.push(plan); // else its close has stored it meanwhile
  }
  return plans;
}

function openMonths(lastClosed: string | null, nowMs: number): string[] {
  const current = periodOf(nowMs);
  const months: string[] = [];
  let month = lastClosed === null ? periodOf(periodBounds(current).start - 1) : followingPeriod(lastClosed);
  for (; month <= current; month = followingPeriod(month)) months.push(month);
  return months;
}
