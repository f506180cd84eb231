import { AppError } from '@tollgate/kernel/app-error';
import type { Database, Transaction } from '@tollgate/database/database';
import { mapInTurns } from '@tollgate/runtime/timing/map-in-turns';
import type { FeeScope } from '../fees/fee-scope.ts';
import { totalMoney } from './total-money.ts';
import type { UsageQuery } from './usage-query.ts';
import type { UsageRow, UsageTotals } from './usage-row.ts';
import { totalUsage } from './usage-totals.ts';
import { readWatermark } from './sql-watermark.ts';
import { sumUsage } from './sql-sum-usage.ts';
import { rateRows } from './rate-rows.ts';

/** An answer of 10,000 rows has about 2 MB of JSON. A year of hours (8,784 rows) of one tool still fits. */
const usageRowsMax = 10_000;

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
      const rows = await sumUsage(tx, query, usageRowsMax + 1); // one more, to know whether there are too many
      if (rows.length > usageRowsMax) throw tooManyRows();
      const totals = await totalUsage(rows);
      if (query.groupBy.has('success')) return { rows, totals, countedThroughMs };
      const money = await rateRows(tx, { query, rows, scope });
      return {
        rows: await mapInTurns(rows, (row, index) => ({ ...row, ...(money[index] && { money: money[index] }) })),
        totals: { ...totals, money: totalMoney(money, query.role) },
        countedThroughMs,
      };
    };
    return database.transaction(read, { accountId: query.accountId, isolation: 'snapshot' });
  };
}

export type ReadUsage = ReturnType<typeof createReadUsage>;

function tooManyRows(): AppError {
  const message = `would make more than ${usageRowsMax} rows: ask for fewer hours, a coarser granularity, fewer dimensions in group_by, or one tool_id`;
  return new AppError('invalid_request', `The query ${message}.`, {
    errors: [{ pointer: '/from', code: 'too_many_rows', message }],
  });
}
