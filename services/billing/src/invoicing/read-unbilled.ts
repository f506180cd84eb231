import { periodBounds, periodOf } from '@tollgate/kernel/period';
import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Database } from '@tollgate/database/database';
import { readLastClosedPeriod } from '../usage/sql-last-closed-period.ts';
import { followingPeriod } from './due-period.ts';
import type { PreviewInvoice } from './preview-invoice.ts';

export interface ReadUnbilledDeps {
  readonly database: Database;
  readonly previewInvoice: PreviewInvoice;
}

/**
 * Reads what an account's calls come to that no invoice has billed yet: the invoices of the open months as they would be
 * now, with what the last one carries on. Throws `unavailable` while another large preview is made.
 */
export function createReadUnbilled({ database, previewInvoice }: ReadUnbilledDeps) {
  return async function readUnbilled(consumerId: string, nowMs: number): Promise<Micros> {
    const lastClosed = await database.transaction(readLastClosedPeriod);
    let [billedMicros, carriedMicros] = [zeroMicros, zeroMicros];
    for (const period of openMonths(lastClosed, nowMs)) {
      const plan = await previewInvoice({ consumerId, period });
      if ('id' in plan) continue; // its close has stored it meanwhile
      billedMicros = micros(billedMicros + centsToMicros(plan.totalCents));
      carriedMicros = plan.carriedOutMicros;
    }
    return micros(billedMicros + carriedMicros);
  };
}

function openMonths(lastClosed: string | null, nowMs: number): string[] {
  const current = periodOf(nowMs);
  const months: string[] = [];
  let month = lastClosed === null ? periodOf(periodBounds(current).start - 1) : followingPeriod(lastClosed);
  for (; month <= current; month = followingPeriod(month)) months.push(month);
  return months;
}
