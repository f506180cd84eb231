import { toIso } from '@tollgate/kernel/clock';
import type { Queryable, Transaction } from '@tollgate/database/database';

const findText = 'select limit_cents from billing.credit_limit where account_id = $1';

/** How far the balance of an account may be exceeded, in cents. Null: no bound is set. */
export async function findCreditLimit(db: Queryable, accountId: string): Promise<bigint | null> {
  const statement = { name: 'billing.find_credit_limit', text: findText };
  const [row] = await db.query<{ limit_cents: string | null }>(statement, [accountId]);
  return row?.limit_cents == null ? null : BigInt(row.limit_cents);
}

export interface CreditLimitSet {
  readonly accountId: string;
  /** Null takes the bound away. */
  readonly limitCents: bigint | null;
  readonly nowMs: number;
}

const putText = `
insert into billing.credit_limit (account_id, limit_cents, changed_at) values ($1, $2, $3)
on conflict (account_id) do update set limit_cents = excluded.limit_cents, changed_at = excluded.changed_at`;

export async function setCreditLimit(tx: Transaction, { accountId, limitCents, nowMs }: CreditLimitSet): Promise<void> {
  const values = [accountId, limitCents?.toString() ?? null, toIso(nowMs)];
  await tx.query({ name: 'billing.put_credit_limit', text: putText }, values);
}
