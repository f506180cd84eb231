import type { Database } from '@tollgate/database/database';
import { checkLedger } from '../../src/audit/check-ledger.ts';

/** Throws unless `ledger check` finds nothing. */
export async function proveLedger(database: Database): Promise<void> {
  const { differences } = await checkLedger(database);
  if (differences.length > 0) throw new Error(JSON.stringify(differences, undefined, 1));
}
