import type { Database } from '@tollgate/database/database';
import { countLedger, type LedgerCounts } from './sql-count-ledger.ts';
import { findLedgerDifferences, type LedgerDifference } from './sql-ledger-checks.ts';
import { checkChains } from './check-chains.ts';
import { checkFees } from './check-fees.ts';
import { checkPayoutMonths } from './check-payout-months.ts';
import { rateClosedPeriods } from './rate-closed-periods.ts';

export interface LedgerReport extends LedgerCounts {
  /** Lines that were counted late and go on the next invoices. */
  readonly waiting: number;
  /** The ends of the chains of hashes: chain, number of seals, hash. */
  readonly heads: readonly string[];
  /** Empty if the ledger is right. */
  readonly differences: readonly LedgerDifference[];
}

const examplesMax = 20;

/** Checks every rule of the ledger, and the chains of hashes, and that rating closed periods again gives the billed amounts. */
export async function checkLedger(database: Database): Promise<LedgerReport> {
  const counts = await database.transaction(countLedger);
  const rules = await database.transaction(async (tx) => {
    return [...(await findLedgerDifferences(tx)), ...(await checkFees(tx)), ...(await checkPayoutMonths(tx))];
  });
  const { differences: broken, heads } = await checkChains(database);
  const differences = [...rules, ...broken];
  const { differences: lines, waiting } = await rateClosedPeriods(database);
  if (lines.length === 0) return { ...counts, waiting, heads, differences };
  const check = 'rating closed periods again gives their lines and adjustments';
  const rated = { check, rows: lines.length, examples: lines.slice(0, examplesMax) };
  return { ...counts, waiting, heads, differences: [...differences, rated] };
}
