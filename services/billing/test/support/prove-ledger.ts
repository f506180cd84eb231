import type { Database } from '@tollgate/database/database';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { planMoneyPath } from '../../src/audit/plan-money-path.ts';
import { readMoneyPath } from '../../src/audit/read-money-path.ts';

/** Throws unless `ledger check` finds nothing, and the way of each month's money adds up. */
export async function proveLedger(database: Database): Promise<void> {
  const { differences } = await checkLedger(database);
  if (differences.length > 0) throw new Error(JSON.stringify(differences, undefined, 1));
  const months = await database.query<{ period: string }>('select distinct period from billing.ledger_transaction');
  for (const { period } of months) {
    const path = planMoneyPath(await readMoneyPath(database, period));
    const { owedBefore, charged, paid, writtenOff, owedAfter } = path;
    const { payableBefore, earnings, paidOut, takenBack, payableAfter } = path;
    const rests = [
      owedBefore + charged - paid - writtenOff - owedAfter,
      payableBefore + earnings - paidOut - takenBack - payableAfter,
    ];
    if (rests.some((rest) => rest !== 0n))
      throw new Error(`the money of ${period} does not add up: ${rests.join(', ')}`);
  }
}
