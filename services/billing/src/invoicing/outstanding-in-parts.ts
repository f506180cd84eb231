import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { followingPeriod } from './due-period.ts';
import { outstandingLines } from './outstanding-lines.ts';
import { rateConsumers } from '../usage/rate-consumers.ts';
import { listToolsAfter } from './sql-list-consumers-after.ts';
import { readBilled } from './sql-read-billed.ts';
import { TooMuchUsage } from '../usage/sql-sum-usage-by-price.ts';
import type { UsageSpan } from '../usage/usage-row.ts';

/** Rating a part keeps the process from other work for some 10 ms. */
const partToolsMax = 200;
const partRowsMax = 2_000; // one tool has fewer in a month: two for each of its hours

/**
 * Yields the lines of one consumer that are rated and not billed, month by month and tool by tool, some hundreds at a time:
 * together they are the lines that `planInvoice` finds at once.
 */
export async function* outstandingInParts(tx: Transaction, spans: readonly UsageSpan[]): AsyncGenerator<Line[]> {
  for (const month of spans.flatMap(monthsOf).sort(byPeriod)) yield* outstandingOfMonth(tx, month);
}

/** A span of one month. */
type Month = Pick<UsageSpan, 'consumerId'> & { readonly period: string };

async function* outstandingOfMonth(tx: Transaction, { consumerId, period }: Month): AsyncGenerator<Line[]> {
  const size = createBatchSize(partToolsMax);
  for (let afterToolId = ''; ;) {
    const toolIds = await listToolsAfter(tx, { consumerId, period, afterToolId, limit: size.current() });
    const last = toolIds.at(-1);
    if (last === undefined) return;
    const lines = await outstandingOfTools(tx, { consumerId, period }, toolIds);
    if (lines === undefined) {
      size.halve();
      continue;
    }
    size.grow();
    if (lines.length > 0) yield lines;
    afterToolId = last;
  }
}

/** Undefined if these tools have too much usage. Billed lines are read first, as `gatherInvoiceFacts` does. */
async function outstandingOfTools(
  tx: Transaction,
  { consumerId, period }: Month,
  toolIds: readonly string[],
): Promise<Line[] | undefined> {
  const spans = [{ consumerId, firstPeriod: period, lastPeriod: period }];
  const billed = await readBilled(tx, spans, { toolIds });
  try {
    const rated = await rateConsumers(tx, spans, { toolIds, rowsMax: toolIds.length > 1 ? partRowsMax : undefined });
    return outstandingLines(rated.get(consumerId) ?? [], billed.get(consumerId)?.lines ?? []);
  } catch (error) {
    if (error instanceof TooMuchUsage) return undefined;
    throw error;
  }
}

function monthsOf({ consumerId, firstPeriod, lastPeriod }: UsageSpan): Month[] {
  const months: Month[] = [];
  for (let period = firstPeriod; period <= lastPeriod; period = followingPeriod(period))
    months.push({ consumerId, period });
  return months;
}

function byPeriod(left: Month, right: Month): number {
  if (left.period === right.period) return 0;
  return left.period < right.period ? -1 : 1;
}

/** How many consumers a close takes at once: half as many after a failure, a quarter more after each success. */
export interface BatchSize {
  current(): number;
  halve(): void;
  grow(): void;
}

export function createBatchSize(max: number): BatchSize {
  let size = max;
  return {
    current: () => size,
    halve() {
      size = Math.max(1, Math.floor(size / 2));
    },
    grow() {
      size = Math.min(max, size + Math.ceil(size / 4));
    },
  };
}
