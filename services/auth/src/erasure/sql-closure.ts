import type { Transaction } from '@tollgate/database/database';
import { onlyRow } from '@tollgate/database/database';

const close = {
  name: 'auth.close_account',
  text: `with closed as (
  update auth.account set closed_at = $2, password_hash = 'closed', password_changed_at = $2
  where account_id = $1 and closed_at is null returning account_id
), listed as (
  insert into auth.erasure (account_id, closed_at) select account_id, $2 from closed
), links as (
  delete from auth.mail_link where account_id in (select account_id from closed)
), consents as (
  update auth.oauth_grant set ended_at = $2 where account_id in (select account_id from closed) and ended_at is null
)
select count(*)::int as closed from closed`,
};

/** Puts the account onto the list of erasures. False for one that is closed, and for an unknown account. */
export async function markClosed(tx: Transaction, accountId: string, atMs: number): Promise<boolean> {
  return onlyRow(await tx.query<{ closed: number }>(close, [accountId, new Date(atMs)])).closed === 1;
}

const endElsewhere = {
  name: 'auth.end_account_elsewhere',
  text: 'select gate.close_account($1), billing.close_account($1), notify.close_account()',
};

/** Ends passes, tools and webhook endpoints of the transaction’s account, by the step of each schema. */
export async function endElsewhereOf(tx: Transaction, atMs: number): Promise<void> {
  await tx.query(endElsewhere, [new Date(atMs)]);
}
