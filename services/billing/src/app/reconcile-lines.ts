import { formatUsd, sumMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { periodBounds } from '@tollgate/kernel/period';
import type { Database, Transaction } from '@tollgate/runtime/postgres/database';
import { isWaiting } from '../domain/invoicing/is-waiting.ts';
import { misratedLines } from '../domain/invoicing/misrated-lines.ts';
import { outstandingLines, sumLines } from '../domain/invoicing/outstanding-lines.ts';
import type { Line } from '../domain/pricing/line.ts';
import { nameLine } from '../domain/pricing/name-line.ts';
import { differingRows, type ReconcileScope, type ReconcileStep } from '../domain/reconciliation.ts';
import { readLastClosedPeriod } from '../sql/closed-period.ts';
import { listConsumers } from '../sql/list-consumers.ts';
import { readBilled } from '../sql/read-billed.ts';
import { readRatedPrices } from '../sql/read-rated-prices.ts';
import { rateConsumers } from './rate-consumers.ts';

const batchConsumers = 200;
const firstId = '00000000-0000-0000-0000-000000000000';

/** The period rated again from its rollups, beside the lines that were billed of it, adjustments included. */
export async function reconcileLines(database: Database, scope: ReconcileScope): Promise<ReconcileStep> {
  const lastClosed = await database.transaction(readLastClosedPeriod);
  const isClosed = lastClosed !== null && lastClosed >= scope.period;
  let sums: Sums = { rated: nothing, billed: nothing, rows: [], waiting: 0 };
  let afterId: string | undefined = firstId;
  while (afterId !== undefined) {
    const read: BatchRead = await database.transaction(readBatch(scope, afterId), { isolation: 'snapshot' });
    sums = addBatch(sums, read, lastClosed ?? '');
    afterId = read.lastId;
  }
  return {
    name: 'rollups_lines',
    unit: 'usd',
    left: { what: 'lines, rated again from the rollups', ...toSide(sums.rated) },
    right: { what: 'lines billed, with their adjustments', ...toSide(sums.billed) },
    ...differingRows(isClosed ? sums.rows : []),
    note: noteOf(isClosed, sums.waiting),
  };
}

interface LineSum {
  readonly lines: number;
  readonly micros: Micros;
}

interface Sums {
  readonly rated: LineSum;
  readonly billed: LineSum;
  readonly rows: readonly string[];
  readonly waiting: number;
}

interface BatchRead {
  readonly rated: readonly Line[];
  readonly billed: readonly Line[];
  readonly misrated: readonly Line[];
  readonly lastId: string | undefined;
}

const nothing: LineSum = { lines: 0, micros: zeroMicros };

function readBatch({ period, accountId }: ReconcileScope, afterId: string): (tx: Transaction) => Promise<BatchRead> {
  return async (tx) => {
    const consumerIds = await listConsumers(tx, afterId, batchConsumers);
    const isMine = (line: Line) =>
      line.period === period && (accountId === undefined || [line.consumerId, line.builderId].includes(accountId));
    const ratedBy = await rateConsumers(tx, consumerIds, periodBounds(period));
    const billedBy = await readBilled(tx, consumerIds, period);
    const billed = sumLines([...billedBy.values()].flatMap(({ lines }) => lines).filter(isMine));
    const prices = await readRatedPrices(tx, [...new Set(billed.map(({ priceId }) => priceId))]);
    const rated = [...ratedBy.values()].flat().filter(isMine);
    return { rated, billed, misrated: misratedLines(billed, prices), lastId: consumerIds.at(-1) };
  };
}

function addBatch(sums: Sums, { rated, billed, misrated }: BatchRead, lastClosed: string): Sums {
  const outstanding = outstandingLines(rated, billed);
  const lost = outstanding.filter((line) => lastClosed === '' || !isWaiting(line, lastClosed));
  return {
    rated: addLines(sums.rated, rated),
    billed: addLines(sums.billed, billed),
    rows: [
      ...sums.rows,
      ...misrated.map((line) => `${nameLine(line)} is not what its price makes of its quantity`),
      ...lost.map((line) => `${nameLine(line)} is counted and not billed, or billed and not counted`),
    ],
    waiting: sums.waiting + outstanding.length - lost.length,
  };
}

function addLines(sum: LineSum, lines: readonly Line[]): LineSum {
  const charged = lines.map(({ chargeMicros }) => chargeMicros);
  return { lines: sum.lines + lines.length, micros: sumMicros([sum.micros, ...charged]) };
}

function toSide({ lines, micros }: LineSum) {
  return { count: BigInt(lines), sum: formatUsd(micros) };
}

function noteOf(isClosed: boolean, waiting: number): string | null {
  if (!isClosed) return 'The period is not closed yet: what is counted of it is not billed.';
  return waiting === 0 ? null : `${waiting} lines were counted late and will be on the next invoices.`;
}
