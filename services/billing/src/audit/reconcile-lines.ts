import { nilUuid } from '@tollgate/kernel/uuid';
import { formatUsd, sumMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { Database } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { nameLine } from '@tollgate/pricing/name-line';
import { sumLines } from '../invoicing/outstanding-lines.ts';
import { differingRows, type ReconcileScope, type ReconcileStep } from './reconciliation.ts';
import { readLastClosedPeriod } from '../usage/sql-watermark.ts';
import { describeLine, compareBilled, type BilledQuery, type ComparedBatch } from './compare-billed.ts';

/** Compares a period, rated again from its rollups, with its billed lines and adjustments. */
export async function reconcileLines(database: Database, scope: ReconcileScope): Promise<ReconcileStep> {
  const { period } = scope;
  const lastClosed = await database.transaction(readLastClosedPeriod);
  const isClosed = lastClosed !== null && lastClosed >= period;
  const query = { firstPeriod: period, lastPeriod: period, isCompared: createIsCompared(scope), lastClosed };
  let sums: Sums = { rated: nothing, billed: nothing, rows: [], waiting: 0 };
  for (let afterId: string | undefined = nilUuid; afterId !== undefined;) {
    const after: BilledQuery = { ...query, afterId };
    const batch = await database.transaction((tx) => compareBilled(tx, after), { isolation: 'snapshot' });
    sums = addBatch(sums, batch);
    afterId = batch.lastId;
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

const nothing: LineSum = { lines: 0, micros: zeroMicros };

function createIsCompared({ period, accountId }: ReconcileScope): (line: Line) => boolean {
  return (line) =>
    line.period === period && (accountId === undefined || [line.consumerId, line.builderId].includes(accountId));
}

function addBatch(sums: Sums, { rated, billed, misrated, misnamed, lost, waiting }: ComparedBatch): Sums {
  return {
    rated: addLines(sums.rated, rated),
    billed: addLines(sums.billed, sumLines(billed)),
    rows: [
      ...sums.rows,
      ...misrated.map((line) => `${nameLine(line)} is not its quantity at its price`),
      ...misnamed.map((line) => `${nameLine(line)}, ${describeLine(line)}: its price says otherwise`),
      ...lost.map((line) => `${nameLine(line)} is counted and not billed, or billed and not counted`),
    ],
    waiting: sums.waiting + waiting,
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
  if (!isClosed) return 'The period is not closed yet, so its usage is not billed.';
  return waiting === 0 ? null : `${waiting} lines were counted late and go on the next invoices.`;
}
