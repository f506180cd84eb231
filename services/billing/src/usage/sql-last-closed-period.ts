import { onlyRow, type Transaction } from '@tollgate/database/database';

const text = `select max(period) as period from billing.closed_period`;

/** Null before the first close. */
export async function readLastClosedPeriod(tx: Transaction): Promise<string | null> {
  return onlyRow(await tx.query<{ period: string | null }>({ name: 'billing.read_last_closed_period', text })).period;
}
