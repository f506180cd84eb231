import { nilUuid } from '@tollgate/kernel/uuid';
import { periodOf } from '@tollgate/kernel/period';
import type { Database } from '@tollgate/database/database';
import { nameLine } from '@tollgate/pricing/name-line';
import { readLastClosedPeriod } from '../usage/sql-last-closed-period.ts';
import { describeLine } from './describe-line.ts';
import { compareBilled, type ComparedBatch } from './compare-billed.ts';

export interface RatedAgain {
  /** Lines that are wrong, as text. */
  readonly differences: readonly string[];
  /** The number of lines that were counted late and go on the next invoices. They are no difference. */
  readonly waiting: number;
}

/** Rates all usage of closed periods again, consumer by consumer, and compares it with the billed lines. */
export async function rateClosedPeriods(database: Database): Promise<RatedAgain> {
  const lastClosed = await database.transaction(readLastClosedPeriod);
  if (lastClosed === null) return { differences: [], waiting: 0 };
  const closed = {
    firstPeriod: periodOf(0), // no event is older
    lastPeriod: lastClosed,
    isCompared: ({ period }: { readonly period: string }) => period <= lastClosed,
    lastClosed,
  };
  const differences: string[] = [];
  let waiting = 0;
  for (let afterId: string | undefined = nilUuid; afterId !== undefined;) {
    const query = { ...closed, afterId };
    const batch: ComparedBatch = await database.transaction((tx) => compareBilled(tx, query));
    differences.push(
      ...batch.misrated.map((line) => `${nameLine(line)} is not its quantity at its price`),
      ...batch.misnamed.map((line) => `${nameLine(line)}, ${describeLine(line)}: its price says otherwise`),
      ...batch.lost.map((line) => `${nameLine(line)} was counted and never billed, or billed and never counted`),
    );
    waiting += batch.waiting;
    afterId = batch.lastId;
  }
  return { differences, waiting };
}
