import { sumMicros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { FeeScope } from '../fees/fee-scope.ts';
import { partRows } from './part-rows.ts';
import { createRowCharges } from './row-charges.ts';
import type { UsageMoney } from './usage-money.ts';
import type { UsageQuery } from './usage-query.ts';
import type { UsageRow } from './usage-row.ts';
import { rateUsageSlices } from './rate-usage-slices.ts';
import { sumGrossBefore } from './sum-gross-before.ts';

export interface RowsToCharge {
  readonly query: UsageQuery;
  /** By start, tool and consumer. */
  readonly rows: readonly UsageRow[];
  readonly scope: FeeScope;
}

/** What each row came to, at its place. In the rows' own snapshot: calls and money are of one moment. */
export async function chargeUsage(tx: Transaction, { query, rows, scope }: RowsToCharge): Promise<UsageMoney[]> {
  if (rows.length === 0) return [];
  const charges = createRowCharges(query);
  const { accountId, role, toolId, fromMs, toMs, granularity = 'month' } = query;
  const sinceMs = periodBounds(periodOf(fromMs)).start; // tiers count from there
  for await (const slices of rateUsageSlices(tx, { accountId, role, toolId, sinceMs, fromMs, toMs, granularity })) {
    charges.add(slices);
  }
  const byRow = rows.map((row) => charges.of(row));
  if (role === 'consumer')
    return byRow.map((ofRow) => ({ chargeMicros: sumMicros(ofRow.map((one) => one.chargeMicros)) }));
  const gross = await sumGrossBefore(tx, { builderId: accountId, scope, beforeMs: fromMs });
  return partRows(byRow, { scope, gross });
}
