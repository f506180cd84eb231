import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { parseDecimal } from '@tollgate/kernel/decimal';
import { createRateQuantity } from '@tollgate/pricing/create-rate-quantity';
import type { RatedPrices } from '@tollgate/pricing/rated-price';
import { unitOf } from '@tollgate/pricing/unit-of';
import { outstandingLines, sumLines } from '../invoicing/outstanding-lines.ts';
import { listConsumers } from './sql-sum-ledger.ts';
import { readBilled, readLateUsage } from '../invoicing/sql-read-billed.ts';
import { readRatedPrices } from '../usage/sql-read-rated-prices.ts';
import { rateConsumers } from '../usage/rate-consumers.ts';
import { spansOf } from '../usage/usage-row.ts';
import { followingPeriod, firstPeriodOfLookBack } from '../invoicing/due-period.ts';
import { readFirstUnclosed } from '../invoicing/sql-unclosed-consumers.ts';

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

/** Finds lines that, with their adjustments, charge something else than their price gives for their quantity. */
function misratedLines(billed: readonly Line[], prices: RatedPrices): Line[] {
  return sumLines(billed).filter(({ priceId, chargeIndex, quantity, chargeMicros }) => {
    const charge = prices.get(priceId)?.price.charges[chargeIndex];
    return charge === undefined || createRateQuantity(charge)(parseDecimal(quantity)) !== chargeMicros;
  });
}

/** Finds lines whose tool, builder, name or unit is not that of their price. */
function misnamedLines(billed: readonly Line[], prices: RatedPrices): Line[] {
  return billed.filter(({ priceId, chargeIndex, toolId, builderId, name, unit }) => {
    const rated = prices.get(priceId);
    const charge = rated?.price.charges[chargeIndex];
    if (!rated || !charge) return true;
    const isOfPrice = toolId === rated.toolId && builderId === rated.builderId;
    return !isOfPrice || name !== charge.name || unit !== unitOf(charge.metric);
  });
}

/** Whether a line that is not billed yet will be on one of the next invoices, and so is not lost. */
export type IsWaiting = (line: Line) => boolean;

/** A line waits if its consumer was set aside by a close, or if it was counted late and a close will find it. */
async function readWaiting(tx: Transaction, consumerIds: readonly string[], lastClosed: string): Promise<IsWaiting> {
  const firstPeriod = firstPeriodOfLookBack(followingPeriod(lastClosed));
  const unclosed = await readFirstUnclosed(tx, consumerIds);
  const late = await readLateUsage(tx, consumerIds, firstPeriod);
  const lateKeys = new Set(late.map(({ consumerId, period }) => `${consumerId} ${period}`));
  return ({ consumerId, period, quantity }) => {
    const unclosedFrom = unclosed.get(consumerId);
    if (unclosedFrom !== undefined && unclosedFrom <= period) return true;
    return lateKeys.has(`${consumerId} ${period}`) && parseDecimal(quantity).units > 0n;
  };
}

/** Describes a line as its invoice does, without the money. */
export function describeLine({ toolId, builderId, name, unit }: Line): string {
  return `tool ${toolId} of ${builderId}, name ${name ?? 'none'}, unit ${unit}`;
}
