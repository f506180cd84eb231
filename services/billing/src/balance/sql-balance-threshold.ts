import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';

const listText = 'select below_cents from billing.balance_threshold where account_id = $1 order by below_cents desc';

/** The thresholds of an account in cents, the highest first. */
export async function listThresholds(db: Queryable, accountId: string): Promise<bigint[]> {
  const statement = { name: 'billing.list_balance_thresholds', text: listText };
  const rows = await db.query<{ below_cents: string }>(statement, [accountId]);
  return rows.map(({ below_cents: cents }) => BigInt(cents));
}

const dropText = 'delete from billing.balance_threshold where account_id = $1 and below_cents <> all ($2::numeric[])';
// One that was set before stays as it is: setting it again is no reason to tell of it again.
const addText = `
insert into billing.balance_threshold (account_id, below_cents, armed_at)
select $1, below_cents, $3 from unnest($2::numeric[]) as below_cents on conflict do nothing`;

export interface ThresholdsSet {
  readonly accountId: string;
  readonly belowCents: readonly bigint[];
  readonly nowMs: number;
}

/** Replaces the thresholds of an account. */
export async function putThresholds(tx: Transaction, { accountId, belowCents, nowMs }: ThresholdsSet): Promise<void> {
  const wanted = belowCents.map(String);
  await tx.query({ name: 'billing.drop_balance_thresholds', text: dropText }, [accountId, wanted]);
  const added = [accountId, wanted, toIso(nowMs)];
  await tx.query({ name: 'billing.add_balance_thresholds', text: addText }, added);
}

const accountsText = `
select distinct account_id from billing.balance_threshold where account_id > $1 order by account_id limit $2`;

/** Lists accounts that have thresholds, ordered by id. */
export async function listAccountsWithThresholds(
  db: Queryable,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<string[]> {
  const statement = { name: 'billing.list_accounts_with_thresholds', text: accountsText };
  return (await db.query<{ account_id: string }>(statement, [afterId, limit])).map((row) => row.account_id);
}

const raiseText = 'select billing.raise_balance_alerts($1, $2, $3) as raised';

export interface ThresholdsAt {
  readonly accountId: string;
  /** The sum of calls that no invoice has billed, where the gate does not know it; null if it was not read. */
  readonly unbilledMicros: bigint | null;
  readonly nowMs: number;
}

/** Returns the number of new alerts, or null: without what calls came to nothing was compared. */
export async function raiseThresholdAlerts(db: Queryable, at: ThresholdsAt): Promise<number | null> {
  const statement = { name: 'billing.raise_balance_alerts', text: raiseText };
  const values = [at.accountId, at.unbilledMicros?.toString() ?? null, toIso(at.nowMs)];
  return onlyRow(await db.query<{ raised: number | null }>(statement, values)).raised;
}

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
