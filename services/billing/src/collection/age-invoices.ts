import { nilUuid } from '@tollgate/kernel/uuid';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createWalk } from '@tollgate/runtime/timing/walk';
import { uncollectibleIfDueBy } from './collection-schedule.ts';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import { listPastDue, markPastDue } from './sql-collectable-invoices.ts';
import { writeOffInvoice } from './void-invoice.ts';
import type { CollectionDeps } from './pay-invoice.ts';

/**
 * Marks open invoices past due after their due date, and writes off those that have been past due for 60 days. Returns
 * how many statuses changed. It may be stopped anywhere and run twice at once. An invoice that fails does not hold up
 * the others.
 */
export function createAgeInvoices({ database, log, batchMax = 500 }: CollectionDeps) {
  const walk = createWalk<string>(batchMax);

  return async function ageInvoices(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    return (await markAllPastDue(nowMs, slice)) + (await writeOffAll(nowMs, slice));
  };

  async function markAllPastDue(nowMs: number, slice: TimeSlice): Promise<number> {
    let count = 0;
    for (;;) {
      const batchCount = await markPastDue(database, nowMs, batchMax);
      count += batchCount;
      if (batchCount < batchMax) return count;
      if (!slice.hasTime()) {
        slice.leaveRest();
        return count;
      }
    }
  }

  async function writeOffAll(nowMs: number, slice: TimeSlice): Promise<number> {
    let writtenOff = 0;
    const dueByMs = uncollectibleIfDueBy(nowMs);
    const due = walk(slice, ({ after: afterId = nilUuid, limit }) => {
      return listPastDue(database, { dueByMs, afterId, limit });
    });
    for await (const id of due) if (await writeOff(id, nowMs)) writtenOff += 1;
    return writtenOff;
  }

  async function writeOff(id: string, nowMs: number): Promise<boolean> {
    try {
      return await database.transaction(async (tx) => {
        const invoice = await lockInvoice(tx, id);
        if (invoice?.status !== 'past_due') return false; // paid, voided or written off meanwhile
        await writeOffInvoice(tx, invoice, { status: 'uncollectible', nowMs });
        return true;
      });
    } catch (error) {
      log.error({ invoice: id, err: error }, 'could not write off an invoice; the next round tries again');
      return false;
    }
  }
}
