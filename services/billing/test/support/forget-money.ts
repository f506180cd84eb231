import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import type { TestDatabase } from '@tollgate/testkit/postgres';

/** The tables that a close writes. */
export const closedTables: readonly string[] = [
  'ledger_entry',
  'ledger_transaction',
  'ledger_account',
  'laid_part',
  'laid_invoice',
  'invoice_parties',
  'invoice_tool',
  'invoice_line',
  'invoice',
  'closed_period',
  'usage_seal',
];

/** The tables that top-ups and their refunds write. */
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

/**
 * Empties these tables of billing, which nobody can empty, and all of builders' gross with the sandbox's memory of money.
 * With triggers switched off for one connection: a change of the tables would have every statement planned anew.
 */
export function forgetMoney({ superuserUrl }: TestDatabase, tables: readonly string[]): Promise<void> {
  const names = [...tables, 'builder_gross', 'billed_gross', 'settled_gross'].map((table) => `billing.${table}`);
  const emptied = [...names, 'sandbox.dispute', 'sandbox.movement', 'sandbox.event', 'billing.webhook_event'];
  return withOracleDatabase(superuserUrl, async (superuser) => {
    await superuser.query('set session_replication_role = replica');
    const deletes = emptied.map((name) => `delete from ${name}`);
    await superuser.query([...deletes, 'update sandbox.balance set cents = 0'].join(';')); // one transaction
  });
}
