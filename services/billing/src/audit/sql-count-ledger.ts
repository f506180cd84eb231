import { onlyRow, type Transaction } from '@tollgate/database/database';

export interface LedgerCounts {
  readonly transactions: number;
  readonly entries: number;
  readonly invoices: number;
  readonly lines: number;
  readonly closedPeriods: number;
}

const text = `
select (select count(*)::int from billing.ledger_transaction) as transactions,
  (select count(*)::int from billing.ledger_entry) as entries,
  (select count(*)::int from billing.invoice) as invoices,
  (select count(*)::int from billing.invoice_line) as lines,
  (select count(*)::int from billing.closed_period) as "closedPeriods"`;

export async function countLedger(tx: Transaction): Promise<LedgerCounts> {
  return onlyRow(await tx.query<LedgerCounts>(text));
}
