import { setImmediate } from 'node:timers/promises';
import type { Database, Transaction } from '@tollgate/database/database';
import { mapInTurns } from '@tollgate/runtime/timing/map-in-turns';
import { sumMicros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import { groupByLine } from '@tollgate/pricing/group-by-line';
import { rateSpans } from '@tollgate/pricing/rate-over-time';
import type { FeeScope } from '../fees/fee.ts';
import {
  type UsageQuery,
  type UsageRole,
  isByPass,
  type UsageRow,
  type UsageTotals,
  type UsageMoney,
} from './usage-row.ts';
import { totalUsage } from './usage-totals.ts';
import { readWatermark } from './sql-watermark.ts';
import { splitCharges, type PeriodCharge } from '../fees/fee-splits.ts';
import { readTimedUsage } from './sql-read-timed-usage.ts';
import { readPassTags } from './sql-read-pass-tags.ts';
import { rateGrossBefore } from './rate-gross-before.ts';
import { createUsageRows, type ChargedRow } from './usage-rows.ts';

export interface Usage {
  readonly rows: readonly UsageRow[];
  readonly totals: UsageTotals;
  readonly countedThroughMs: number;
}

export interface ReadUsageDeps {
  readonly database: Database;
  readonly scope: FeeScope;
}

/**
 * Reads usage with its money, counts and sums from one snapshot. Rows that are grouped by success have no money. Throws
 * `invalid_request` if there would be more than 10,000 rows.
 */
export function createReadUsage({ database, scope }: ReadUsageDeps) {
  return async function readUsage(query: UsageQuery): Promise<Usage> {
    const read = async (tx: Transaction): Promise<Usage> => {
      const countedThroughMs = await readWatermark(tx);
      const charged = await readRows(tx, query);
      const sums = charged.map(({ row }) => row);
      const totals = await totalUsage(sums);
      if (query.groupBy.has('success')) return { rows: sums, totals, countedThroughMs };
      const money = await moneyOf(tx, { query, charged, scope });
      const rows = await mapInTurns(sums, (row, at) => ({ ...row, money: money[at] as UsageMoney })); // one each
      return { rows, totals: { ...totals, money: totalMoney(money, query.role) }, countedThroughMs };
    };
    return database.transaction(read, { accountId: query.accountId, isolation: 'snapshot' });
  };
}

export type ReadUsage = ReturnType<typeof createReadUsage>;

/** Adds the usage up and rates it, line by line. Between two lines other requests get their turn. */
async function readRows(tx: Transaction, query: UsageQuery): Promise<ChargedRow[]> {
  const { accountId, role, toolId, fromMs, toMs, tags = [] } = query;
  const hasMoney = !query.groupBy.has('success');
  const rows = createUsageRows(query, tags.length > 0 ? await readPassTags(tx, accountId) : new Map());
  // Passes share a month by the hour: so their rows by hour, day and month agree.
  const cut = isByPass(query)
    ? ({ granularity: 'hour', byPass: true } as const)
    : { granularity: query.granularity ?? 'month' };
  const sinceMs = hasMoney ? periodBounds(periodOf(fromMs)).start : fromMs; // tiers start from 0 at the beginning of a month
  for await (const line of readTimedUsage(tx, { accountId, role, toolId, sinceMs, fromMs, toMs, ...cut })) {
    rows.add(line);
    if (hasMoney && line.price !== undefined) {
      const prices = new Map([[line.price.priceId, line.price]]);
      for (const charge of groupByLine(line.usage, prices)) rows.charge(rateSpans(charge));
    }
    await setImmediate();
  }
  return rows.list();
}

/** Adds up the money of the rows, so that the rows of an answer always add up to its totals. */
function totalMoney(rows: readonly UsageMoney[], role: UsageRole): UsageMoney {
  const chargeMicros = sumMicros(rows.map((row) => row.chargeMicros));
  if (role === 'consumer') return { chargeMicros };
  const splits = rows.flatMap(({ split }) => split ?? []);
  return {
    chargeMicros,
    split: {
      earningMicros: sumMicros(splits.map(({ earningMicros }) => earningMicros)),
      feeMicros: sumMicros(splits.map(({ feeMicros }) => feeMicros)),
    },
  };
}

interface ChargedRows {
  readonly query: UsageQuery;
  /** Ordered by start, tool and consumer. */
  readonly charged: readonly ChargedRow[];
  readonly scope: FeeScope;
}

/**
 * The money of each row. A builder's charges are split into earning and fee. The fee depends on the gross of all rows before,
 * so rows must come in their order.
 */
async function moneyOf(tx: Transaction, { query, charged, scope }: ChargedRows): Promise<UsageMoney[]> {
  if (charged.length === 0) return [];
  const sum = (charges: readonly PeriodCharge[]) => sumMicros(charges.map(({ chargeMicros }) => chargeMicros));
  if (query.role === 'consumer') return mapInTurns(charged, ({ charges }) => ({ chargeMicros: sum(charges) }));
  let gross = await rateGrossBefore(tx, { builderId: query.accountId, scope, beforeMs: query.fromMs });
  return mapInTurns(charged, ({ charges }) => {
    const after = splitCharges(charges, { scope, gross });
    gross = after.gross;
    return {
      chargeMicros: sum(charges),
      split: {
        earningMicros: sumMicros(after.splits.map(({ earningMicros }) => earningMicros)),
        feeMicros: sumMicros(after.splits.map(({ feeMicros }) => feeMicros)),
      },
    };
  });
}
