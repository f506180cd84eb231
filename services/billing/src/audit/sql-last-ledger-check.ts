import type { Queryable } from '@tollgate/database/database';

const text = 'select differences from billing.ledger_check';

/** How many checks did not hold in the last nightly check of the ledger. Null before the first one has ended. */
export async function readLastLedgerCheck(db: Queryable): Promise<number | null> {
  const rows = await db.query<{ differences: number | null }>({ name: 'billing.read_last_ledger_check', text });
  return rows[0]?.differences ?? null;
}
