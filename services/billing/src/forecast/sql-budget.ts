import type { Queryable } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';

const findText = `select amount_micros from gate.budget_v1 where account_id = $1 and window_kind = 'month'`;

/** The budget of an account for a month. Null: it has none, or one of each day. */
export async function findMonthlyBudget(db: Queryable, accountId: string): Promise<Micros | null> {
  const statement = { name: 'billing.find_monthly_budget', text: findText };
  const [row] = await db.query<{ amount_micros: bigint }>(statement, [accountId]);
  return row ? micros(row.amount_micros) : null;
}
