import { nilUuid } from '@tollgate/kernel/uuid';
import { periodOf } from '@tollgate/kernel/period';
import type { Database } from '@tollgate/database/database';
import { nameLine } from '@tollgate/pricing/name-line';
import { readLastClosedPeriod } from '../invoicing/sql-closed-periods.ts';
import { compareBilled, type ComparedBatch } from './compare-billed.ts';

export interface RatedAgain {
  /** Lines that differ from what they should be, as text. */
  readonly differences: readonly string[];
  /** Lines that were counted late and will be on the next invoice: no difference yet. */
  readonly waiting: number;
}

/** Rates all that is counted for closed periods anew, consumer by consumer, and compares it with what was billed of it. */
export async function rateClosedPeriods(database: Database): Promise<RatedAgain> {
  const lastClosed = await database.transaction(readLastClosedPeriod);
  if (lastClosed === null) return { differences: [], waiting: 0 };
  const closed = {
    firstPeriod: periodOf(0), // no event is older
    lastPeriod: lastClosed,
    isWanted: ({ period }: { readonly period: string }) => period <= lastClosed,
    lastClosed,
  };
  const differences: string[] = [];
  let waiting = 0;
  for (let afterId: string | undefined = nilUuid; afterId !== undefined;) {
    const query = { ...closed, afterId };
    const batch: ComparedBatch = await database.transaction((tx) => compareBilled(tx, query));
    differences.push(
      ...batch.misrated.map((line) => `${nameLine(line)} is not what its price makes of its quantity`),
      ...batch.lost.map(
        (line) => `${nameLine(line)} is what was counted and never billed, or billed and never counted`,
      ),
    );
    waiting += batch.waiting;
    afterId = batch.lastId;
  }
  return { differences, waiting };
}
