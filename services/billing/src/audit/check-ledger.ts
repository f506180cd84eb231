import type { Database } from '@tollgate/database/database';
import { countLedger, type LedgerCounts } from './sql-count-ledger.ts';
import { findLedgerDifferences, type LedgerDifference } from './sql-ledger-checks.ts';
import { checkFees } from './check-fees.ts';
import { rateClosedPeriods } from './rate-closed-periods.ts';

export interface LedgerReport extends LedgerCounts {
  /** Lines counted late that will be on the next invoices. */
  readonly waiting: number;
  /** None: the ledger is right. */
  readonly differences: readonly LedgerDifference[];
}

const examplesMax = 20;

/** Proves what the database promises of the ledger, and that closed periods, rated again, come to what was billed. */
export async function checkLedger(database: Database): Promise<LedgerReport> {
  const counts = await database.transaction(countLedger);
  const differences = await database.transaction(async (tx) => {
    return [...(await findLedgerDifferences(tx)), ...(await checkFees(tx))];
  });
  const { differences: lines, waiting } = await rateClosedPeriods(database);
  if (lines.length === 0) return { ...counts, waiting, differences };
  const check = 'closed periods, rated again, give their lines and adjustments';
  const rated = { check, rows: lines.length, examples: lines.slice(0, examplesMax) };
  return { ...counts, waiting, differences: [...differences, rated] };
}
