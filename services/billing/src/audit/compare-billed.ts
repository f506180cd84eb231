import type { Transaction } from '@tollgate/database/database';
import { readWaiting } from './is-waiting.ts';
import { misnamedLines, misratedLines } from './misrated-lines.ts';
import { outstandingLines } from '../invoicing/outstanding-lines.ts';
import type { Line } from '@tollgate/pricing/line';
import { listConsumers } from './sql-list-consumers.ts';
import { readBilled } from '../invoicing/sql-read-billed.ts';
import { readRatedPrices } from '../usage/sql-read-rated-prices.ts';
import { rateConsumers } from '../usage/rate-consumers.ts';
import { spansOf } from '../usage/usage-span.ts';

export interface BilledQuery {
  /** The last consumer of the batch before. */
  readonly afterId: string;
  /** Usage and billed lines of these months, adjustments included, are compared where `isCompared` is true. */
  readonly firstPeriod: string;
  readonly lastPeriod: string;
  readonly isCompared: (line: Line) => boolean;
  /** The last closed period. Null if none was ever closed, so that nothing can be missing. */
  readonly lastClosed: string | null;
}

export interface ComparedBatch {
  readonly rated: readonly Line[];
  readonly billed: readonly Line[];
  /** Billed lines whose charge is not their quantity at their price. */
  readonly misrated: readonly Line[];
  /** Billed lines whose tool, builder, name or unit is not that of their price. */
  readonly misnamed: readonly Line[];
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
  const { afterId, isCompared, lastClosed } = query;
  const consumerIds = await listConsumers(tx, afterId, batchConsumers);
  const spans = spansOf(consumerIds, query);
  const billedBy = await readBilled(tx, spans);
  const ratedBy = await rateConsumers(tx, spans);
  const billed = [...billedBy.values()].flatMap(({ lines }) => lines).filter(isCompared);
  const rated = [...ratedBy.values()].flat().filter(isCompared);
  const prices = await readRatedPrices(tx, [...new Set(billed.map(({ priceId }) => priceId))]);
  const outstanding = lastClosed === null ? [] : outstandingLines(rated, billed);
  const isWaiting = lastClosed === null ? () => false : await readWaiting(tx, consumerIds, lastClosed);
  const lost = outstanding.filter((line) => !isWaiting(line));
  const waiting = outstanding.length - lost.length;
  const wrong = { misrated: misratedLines(billed, prices), misnamed: misnamedLines(billed, prices), lost };
  return { rated, billed, ...wrong, waiting, lastId: consumerIds.at(-1) };
}
