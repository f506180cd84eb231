import type { Bounds } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import { isWaiting } from './is-waiting.ts';
import { misratedLines } from './misrated-lines.ts';
import { outstandingLines } from '../invoicing/outstanding-lines.ts';
import type { Line } from '@tollgate/pricing/line';
import { listConsumers } from './sql-list-consumers.ts';
import { readBilled } from '../invoicing/sql-read-billed.ts';
import { readRatedPrices } from '../usage/sql-read-rated-prices.ts';
import { rateConsumers } from '../invoicing/rate-consumers.ts';

export interface BilledQuery {
  /** The last consumer of the batch before. */
  readonly afterId: string;
  /** The months whose usage is rated. */
  readonly bounds: Bounds;
  /** The first period whose billed lines are read. */
  readonly firstPeriod: string;
  /** Says which rated and billed lines are compared. */
  readonly isCompared: (line: Line) => boolean;
  /** The last closed period. Null if none was ever closed, so that nothing can be missing. */
  readonly lastClosed: string | null;
}

export interface ComparedBatch {
  readonly rated: readonly Line[];
  readonly billed: readonly Line[];
  /** Billed lines whose charge is not their quantity at their price. */
  readonly misrated: readonly Line[];
  /** Lines that are counted and not billed, or billed and not counted. */
  readonly lost: readonly Line[];
  /** The number of lines that were counted late and go on the next invoices. */
  readonly waiting: number;
  /** The last consumer of the batch; undefined if no consumer was left. */
  readonly lastId: string | undefined;
}

const batchConsumers = 200;

/** Rates the usage of the next consumers again, and compares it with their billed lines. */
export async function compareBilled(tx: Transaction, query: BilledQuery): Promise<ComparedBatch> {
  const { afterId, bounds, firstPeriod, isCompared, lastClosed } = query;
  const consumerIds = await listConsumers(tx, afterId, batchConsumers);
  const billedBy = await readBilled(tx, consumerIds, firstPeriod);
  const ratedBy = await rateConsumers(tx, consumerIds, bounds);
  const billed = [...billedBy.values()].flatMap(({ lines }) => lines).filter(isCompared);
  const rated = [...ratedBy.values()].flat().filter(isCompared);
  const prices = await readRatedPrices(tx, [...new Set(billed.map(({ priceId }) => priceId))]);
  const outstanding = lastClosed === null ? [] : outstandingLines(rated, billed);
  const lost = outstanding.filter((line) => lastClosed === null || !isWaiting(line, lastClosed));
  const waiting = outstanding.length - lost.length;
  return { rated, billed, misrated: misratedLines(billed, prices), lost, waiting, lastId: consumerIds.at(-1) };
}
