import { sumMicros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import { mapInTurns } from '@tollgate/runtime/timing/map-in-turns';
import type { FeeScope } from '../fees/fee-scope.ts';
import { splitRows } from './split-rows.ts';
import { createRatedRows } from './rated-rows.ts';
import type { UsageMoney } from './usage-money.ts';
import { readPassTags } from './sql-pass-tags.ts';
import { isByPass, type UsageQuery } from './usage-query.ts';
import type { UsageRow } from './usage-row.ts';
import { rateUsageOverTime } from './rate-usage-over-time.ts';
import { rateGrossBefore } from './rate-gross-before.ts';

export interface RowsToRate {
  readonly query: UsageQuery;
  /** Ordered by start, tool and consumer. */
  readonly rows: readonly UsageRow[];
  readonly scope: FeeScope;
}

/**
 * Rates each row; a row's money stands at the row's place. Must run in the snapshot that read the rows, so that calls
 * and money agree.
 */
export async function rateRows(tx: Transaction, { query, rows, scope }: RowsToRate): Promise<UsageMoney[]> {
  if (rows.length === 0) return [];
  const { accountId, role, toolId, fromMs, toMs, tags = [] } = query;
  const rated = createRatedRows(query, tags.length > 0 ? await readPassTags(tx, accountId) : new Map());
  // Passes share a month by the hour: so their rows by hour, day and month agree.
  const cut = isByPass(query)
    ? ({ granularity: 'hour', byPass: true } as const)
    : { granularity: query.granularity ?? 'month' };
  const sinceMs = periodBounds(periodOf(fromMs)).start; // tiers start from 0 at the beginning of a month
  for await (const lines of rateUsageOverTime(tx, { accountId, role, toolId, sinceMs, fromMs, toMs, ...cut })) {
    rated.add(lines);
  }
  const byRow = await mapInTurns(rows, (row) => rated.of(row));
  if (role === 'consumer')
    return mapInTurns(byRow, (ofRow) => ({ chargeMicros: sumMicros(ofRow.map((charge) => charge.chargeMicros)) }));
  const gross = await rateGrossBefore(tx, { builderId: accountId, scope, beforeMs: fromMs });
  return splitRows(byRow, { scope, gross });
}
