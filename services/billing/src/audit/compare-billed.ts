import type { Transaction } from '@tollgate/database/database';
import { readWaiting } from './is-waiting.ts';
import { misratedLines } from './misrated-lines.ts';
import { outstandingLines } from '../invoicing/outstanding-lines.ts';
import type { Line } from '@tollgate/pricing/line';
import { listConsumers } from './sql-list-consumers.ts';
import { readBilled } from '../invoicing/sql-read-billed.ts';
import { readRatedPrices } from '../usage/sql-read-rated-prices.ts';
import { rateConsumers } from '../invoicing/rate-consumers.ts';
import { spansOf } from '../invoicing/usage-span.ts';

export interface BilledQuery {
  /** The consumer before the first that is looked at. */
  readonly afterId: string;
  /** Usage and billed lines of these months, adjustments included, are compared if they are wanted. */
  readonly firstPeriod: string;
  readonly lastPeriod: string;
  readonly isWanted: (line: Line) => boolean;
  /** Null: no period was ever closed, so nothing can be missing. */
  readonly lastClosed: string | null;
}

export interface ComparedBatch {
  readonly rated: readonly Line[];
  readonly billed: readonly Line[];
  /** Charged something else than their price makes of their quantity. */
  readonly misrated: readonly Line[];
  /** Counted and not billed, or billed and not counted. */
  readonly lost: readonly Line[];
  /** Lines that were counted late and will be on the next invoices. */
  readonly waiting: number;
  /** The last consumer that was looked at; undefined: there was nobody left. */
  readonly lastId: string | undefined;
}

const batchConsumers = 200;

/** Rates what is counted of the next consumers anew and compares it with what was billed of it. */
export async function compareBilled(tx: Transaction, query: BilledQuery): Promise<ComparedBatch> {
  const { afterId, isWanted, lastClosed } = query;
  const consumerIds = await listConsumers(tx, afterId, batchConsumers);
  const spans = spansOf(consumerIds, query);
  const billedBy = await readBilled(tx, spans);
  const ratedBy = await rateConsumers(tx, spans);
  const billed = [...billedBy.values()].flatMap(({ lines }) => lines).filter(isWanted);
  const rated = [...ratedBy.values()].flat().filter(isWanted);
  const prices = await readRatedPrices(tx, [...new Set(billed.map(({ priceId }) => priceId))]);
  const outstanding = lastClosed === null ? [] : outstandingLines(rated, billed);
  const isWaiting = lastClosed === null ? () => false : await readWaiting(tx, consumerIds, lastClosed);
  const lost = outstanding.filter((line) => !isWaiting(line));
  const waiting = outstanding.length - lost.length;
  return { rated, billed, misrated: misratedLines(billed, prices), lost, waiting, lastId: consumerIds.at(-1) };
}
