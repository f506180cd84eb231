import { nilUuid } from '@tollgate/kernel/uuid';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database } from '@tollgate/database/database';
import { uncollectibleIfDueBy } from './collection-schedule.ts';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import { listPastDue, markPastDue } from './sql-collectable-invoices.ts';
import { writeOffInvoice } from './write-off-invoice.ts';

export interface AgeDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly batchMax?: number;
}

/**
 * Open becomes past due, and past due uncollectible: then it is written off. Safe to stop anywhere, and to run twice at
 * once. One that fails holds up no other. Answers how many statuses changed.
 */
export function createAgeInvoices({ database, log, batchMax = 500 }: AgeDeps) {
  return async function ageInvoices(nowMs: number): Promise<number> {
    return (await markAllPastDue(nowMs)) + (await writeOffAll(nowMs));
  };

  async function markAllPastDue(nowMs: number): Promise<number> {
    let marked = 0;
    for (;;) {
      const ofBatch = await markPastDue(database, nowMs, batchMax);
      marked += ofBatch;
      if (ofBatch < batchMax) return marked;
    }
  }

  async function writeOffAll(nowMs: number): Promise<number> {
    let writtenOff = 0;
    let afterId: string | undefined = nilUuid;
    while (afterId !== undefined) {
      const ids: string[] = await listPastDue(database, {
        dueByMs: uncollectibleIfDueBy(nowMs),
        afterId,
        limit: batchMax,
      });
      for (const id of ids) if (await writeOff(id, nowMs)) writtenOff += 1;
      afterId = ids.length < batchMax ? undefined : ids.at(-1);
    }
    return writtenOff;
  }

  async function writeOff(id: string, nowMs: number): Promise<boolean> {
    try {
      return await database.transaction(async (tx) => {
        const invoice = await lockInvoice(tx, id);
        if (invoice?.status !== 'past_due') return false; // paid or voided meanwhile, or another was here first
        await writeOffInvoice(tx, invoice, { status: 'uncollectible', nowMs });
        return true;
      });
    } catch (error) {
      log.error({ invoice: id, err: error }, 'could not write an invoice off; the next round will try');
      return false;
    }
  }
}
