import type { Database } from '@tollgate/database/database';

/** What a close writes. */
export const closedTables: readonly string[] = [
  'ledger_entry',
  'ledger_transaction',
  'ledger_account',
  'invoice_parties',
  'invoice_tool',
  'invoice_line',
  'invoice_parties',
  'invoice_tool',
  'invoice',
  'invoice_parties',
  'invoice_tool',
  'closed_period',
];

/** What top-ups and refunds of them write. */
export const topUpTables: readonly string[] = [
  'ledger_entry',
  'ledger_transaction',
  'ledger_account',
  'processor_attempt',
  'balance_move',
  'balance_credit',
  'balance_refund_part',
  'balance_refund',
  'top_up_refund',
  'dispute',
  'top_up',
];

/** Empties these tables of billing, which nobody can empty, and all of builders' gross with the sandbox's memory of money. */
export async function forgetMoney(owner: Database, tables: readonly string[]): Promise<void> {
  const names = tables.map((table) => `billing.${table}`);
  const triggers = (to: string) => names.map((name) => `alter table ${name} ${to} trigger user`).join(';');
  await owner.transaction(async (tx) => {
    await tx.query(triggers('disable'));
    await tx.query(`truncate ${names.join()}, billing.builder_gross, billing.billed_gross`);
    await tx.query(triggers('enable'));
    await tx.query('truncate sandbox.movement, sandbox.event cascade');
    await tx.query('update sandbox.balance set cents = 0');
  });
}
