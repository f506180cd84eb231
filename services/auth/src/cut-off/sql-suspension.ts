import type { Queryable } from '@tollgate/database/database';
import type { Account } from '../accounts/sql-account.ts';

export interface SuspendableAccount extends Account {
  readonly suspension: { readonly reason: string; readonly suspendedAt: number } | undefined;
}

interface Row {
  account_id: string;
  email: string;
  created_at: Date;
  email_verified_at: Date | null;
  email_bounced_at: Date | null;
  public_name: string | null;
  reason: string | null;
  suspended_at: Date | null;
}

const suspend = {
  name: 'auth.suspend_account',
  text: `insert into auth.account_suspension as s (account_id, reason, suspended_at)
select account_id, $2, $3 from auth.account where account_id = $1
on conflict (account_id) do update
set reason = excluded.reason, resumed_at = null,
  suspended_at = case when s.resumed_at is null then s.suspended_at else excluded.suspended_at end
returning account_id`,
};

/** False for an unknown account. A repeat keeps the time of the first suspension. A trigger announces it to all services. */
export async function suspendAccount(
  worker: Queryable,
  { accountId, reason, suspendedAt }: { accountId: string; reason: string; suspendedAt: number },
): Promise<boolean> {
  return (await worker.query(suspend, [accountId, reason, new Date(suspendedAt)])).length === 1;
}

const resume = {
  name: 'auth.resume_account',
  text: 'update auth.account_suspension set resumed_at = $2 where account_id = $1 and resumed_at is null returning account_id',
};

/** False when the account was not suspended. */
export async function resumeAccount(worker: Queryable, accountId: string, resumedAt: number): Promise<boolean> {
  return (await worker.query(resume, [accountId, new Date(resumedAt)])).length === 1;
}

const read = {
  name: 'auth.read_suspendable_account',
  text: `select a.account_id, a.email, a.created_at, a.email_verified_at, a.email_bounced_at, a.public_name, s.reason,
  s.suspended_at
from auth.account a
left join auth.account_suspension s on s.account_id = a.account_id and s.resumed_at is null
where a.account_id = $1`,
};

export async function readSuspendableAccount(
  worker: Queryable,
  accountId: string,
): Promise<SuspendableAccount | undefined> {
  const [row] = await worker.query<Row>(read, [accountId]);
  return row && fromRow(row);
}

function fromRow(row: Row): SuspendableAccount {
  const { account_id, email, created_at, email_verified_at, email_bounced_at, public_name, reason, suspended_at } = row;
  const suspension =
    reason === null || suspended_at === null ? undefined : { reason, suspendedAt: suspended_at.getTime() };
  const known = {
    isEmailVerified: email_verified_at !== null,
    emailBouncedAt: email_bounced_at?.getTime(),
    publicName: public_name ?? undefined,
  };
  return { accountId: account_id, email, createdAt: created_at.getTime(), ...known, suspension };
}
