import type { Database } from '@tollgate/database/database';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { MoneyPathFacts } from './plan-money-path.ts';
import { sumBalances } from './sql-sum-ledger.ts';
import { sumPostings } from './sql-sum-postings.ts';

/** Reads all of it as of one moment, so that it adds up. */
export function readMoneyPath(database: Database, period: string): Promise<MoneyPathFacts> {
  const monthBefore = periodOf(periodBounds(period).start - 1);
  return database.transaction(
    async (tx) => ({
      before: await sumBalances(tx, monthBefore),
      after: await sumBalances(tx, period),
      sums: await sumPostings(tx, period),
    }),
    { isolation: 'snapshot' },
  );
}
