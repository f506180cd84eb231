import { sumMicros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { FeeScope } from '../fees/fee-scope.ts';
import { splitRows } from './split-rows.ts';
import { createRatedRows } from './rated-rows.ts';
import type { UsageMoney } from './usage-money.ts';
import type { UsageQuery } from './usage-query.ts';
import type { UsageRow } from './usage-row.ts';
import { rateUsageOverTime } from './rate-usage-over-time.ts';
import { rateGrossBefore } from './rate-gross-before.ts';

export interface RowsToRate {
  readonly query: UsageQuery;
  /** By start, tool and consumer. */
  readonly rows: readonly UsageRow[];
  readonly scope: FeeScope;
}

/** What each row came to, at its place. In the rows' own snapshot: calls and money are of one moment. */
export async function rateRows(tx: Transaction, { query, rows, scope }: RowsToRate): Promise<UsageMoney[]> {
  if (rows.length === 0) return [];
  const rated = createRatedRows(query);
  const { accountId, role, toolId, fromMs, toMs, granularity = 'month' } = query;
  const sinceMs = periodBounds(periodOf(fromMs)).start; // tiers count from there
  for await (const lines of rateUsageOverTime(tx, { accountId, role, toolId, sinceMs, fromMs, toMs, granularity })) {
    rated.add(lines);
  }
  const byRow = rows.map((row) => rated.of(row));
  if (role === 'consumer')
    return byRow.map((ofRow) => ({ chargeMicros: sumMicros(ofRow.map((one) => one.chargeMicros)) }));
  const gross = await rateGrossBefore(tx, { builderId: accountId, scope, beforeMs: fromMs });
  return splitRows(byRow, { scope, gross });
}
