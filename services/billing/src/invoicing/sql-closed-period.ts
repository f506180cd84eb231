import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Transaction } from '@tollgate/database/database';

const readText = `select max(period) as period from billing.closed_period`;
const insertText = `insert into billing.closed_period (period, closed_at) values ($1, $2)`;

/** Null before the first close. */
export async function readLastClosedPeriod(tx: Transaction): Promise<string | null> {
  return onlyRow(await tx.query<{ period: string | null }>({ name: 'read-last-closed-period', text: readText })).period;
}

/** For good: what is counted for it from now on is late. */
export async function insertClosedPeriod(tx: Transaction, period: string, closedAtMs: number): Promise<void> {
  await tx.query({ name: 'insert-closed-period', text: insertText }, [period, toIso(closedAtMs)]);
}
