import { onlyRow, type Transaction } from '@tollgate/database/database';

export interface MoneyProgress {
  readonly firstClosed: string | null;
  readonly lastClosed: string | null;
  readonly lastPayoutDay: string | null;
}

const text = `
select (select max(period) from billing.closed_period) as last_closed,
  (select min(period) from billing.closed_period) as first_closed,
  (select max(period) from billing.payout_day) as last_payout_day`;

export async function readMoneyProgress(tx: Transaction): Promise<MoneyProgress> {
  const row = onlyRow(await tx.query<Row>({ name: 'billing.read_money_progress', text }));
  return { firstClosed: row.first_closed, lastClosed: row.last_closed, lastPayoutDay: row.last_payout_day };
}

interface Row {
  readonly first_closed: string | null;
  readonly last_closed: string | null;
  readonly last_payout_day: string | null;
}
