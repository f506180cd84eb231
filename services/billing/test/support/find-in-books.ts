import type { Database } from '@tollgate/database/database';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { createReconcile } from '../../src/audit/reconcile.ts';
import type { Processor } from '../../src/processor/processor.ts';

/** Everything that reconcile and the ledger check say of a month's books. Usage is planted without its events. */
export async function findInBooks(database: Database, processor: Processor, period: string): Promise<string[]> {
  const { steps } = await createReconcile({ database, processor })({ period, accountId: undefined });
  const { differences } = await checkLedger(database);
  return [
    ...steps
      .filter(({ name }) => name !== 'events_rollups')
      .flatMap(({ name, rows }) => rows.map((row) => `${name}: ${row}`)),
    ...differences.flatMap(({ check, examples }) => examples.map((row) => `${check}: ${row}`)),
  ];
}
