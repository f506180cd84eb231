import type { Database } from '@tollgate/database/database';
import { guards } from './guards.ts';

/** What a close writes. */
export const closedTables: readonly string[] = [
  'ledger_entry',
  'ledger_transaction',
  'ledger_account',
  'invoice_line',
  'invoice',
  'closed_period',
];

/** Empties these tables of billing, which nobody can empty, and all of builders' gross with the sandbox's memory of money. */
export async function forgetMoney(owner: Database, tables: readonly string[]): Promise<void> {
  await owner.transaction(async (tx) => {
    await tx.query(guards('disable', tables));
    await tx.query(`truncate ${tables.map((table) => `billing.${table}`).join()}, billing.builder_gross`);
    await tx.query(guards('enable', tables));
    await tx.query('truncate sandbox.movement, sandbox.event cascade');
  });
}
