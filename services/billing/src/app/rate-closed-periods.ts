import { periodBounds } from '@tollgate/kernel/period';
import type { Database, Transaction } from '@tollgate/runtime/postgres/database';
import { isWaiting } from '../domain/invoicing/is-waiting.ts';
import { misratedLines } from '../domain/invoicing/misrated-lines.ts';
import { nameLine } from '../domain/pricing/name-line.ts';
import { outstandingLines } from '../domain/invoicing/outstanding-lines.ts';
import { readLastClosedPeriod } from '../sql/closed-period.ts';
import { listConsumers } from '../sql/list-consumers.ts';
import { readBilled } from '../sql/read-billed.ts';
import { readRatedPrices } from '../sql/read-rated-prices.ts';
import { rateConsumers } from './rate-consumers.ts';

export interface RatedAgain {
  /** Lines that differ from what they should be, as text. */
  readonly differences: readonly string[];
  /** Lines that were counted late and will be on the next invoice: no difference yet. */
  readonly waiting: number;
}

const batchConsumers = 200;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Rates all that is counted for closed periods anew, consumer by consumer, and compares it with what was billed of it. */
export async function rateClosedPeriods(database: Database): Promise<RatedAgain> {
  const lastClosed = await database.transaction(readLastClosedPeriod);
  if (lastClosed === null) return { differences: [], waiting: 0 };
  const differences: string[] = [];
  let waiting = 0;
  let afterId: string | undefined = firstId;
  while (afterId !== undefined) {
    const batch: Batch = await database.transaction(rateBatch(afterId, lastClosed));
    differences.push(...batch.differences);
    waiting += batch.waiting;
    afterId = batch.lastId;
  }
  return { differences, waiting };
}

interface Batch extends RatedAgain {
  readonly lastId: string | undefined;
}

function rateBatch(afterId: string, lastClosed: string): (tx: Transaction) => Promise<Batch> {
  return async (tx) => {
    const consumerIds = await listConsumers(tx, afterId, batchConsumers);
    const billedBy = await readBilled(tx, consumerIds, ''); // an empty text is before every period: all of them
    const ratedBy = await rateConsumers(tx, consumerIds, { start: 0, end: periodBounds(lastClosed).end });
    const billed = [...billedBy.values()].flatMap(({ lines }) => lines).filter(({ period }) => period <= lastClosed);
    const prices = await readRatedPrices(tx, [...new Set(billed.map(({ priceId }) => priceId))]);
    const outstanding = outstandingLines([...ratedBy.values()].flat(), billed);
    const lost = outstanding.filter((line) => !isWaiting(line, lastClosed));
    return {
      differences: [
        ...misratedLines(billed, prices).map((line) => `${nameLine(line)} is not what its price makes of its quantity`),
        ...lost.map((line) => `${nameLine(line)} is what was counted and never billed, or billed and never counted`),
      ],
      waiting: outstanding.length - lost.length,
      lastId: consumerIds.at(-1),
    };
  };
}
