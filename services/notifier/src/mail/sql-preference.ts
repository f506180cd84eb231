import type { Queryable } from '@tollgate/database/database';

const list = { name: 'notify.list_opt_outs', text: 'select type from notify.mail_opt_out where account_id = $1' };

/** The types that the account does not want. */
export async function listOptOuts(db: Queryable, accountId: string): Promise<ReadonlySet<string>> {
  return new Set((await db.query<{ type: string }>(list, [accountId])).map(({ type }) => type));
}

const put = {
  name: 'notify.put_opt_outs',
  text: `with wanted as (
  delete from notify.mail_opt_out where account_id = $1 and type <> all ($2::text[])
), waiting as (
  delete from notify.mail where account_id = $1 and type = any ($2::text[])
)
insert into notify.mail_opt_out (account_id, type) select $1, unnest($2::text[]) on conflict do nothing`,
};

/** Replaces the types that the account does not want. Mails of theirs that wait are not sent any more. */
export async function putOptOuts(db: Queryable, accountId: string, types: readonly string[]): Promise<void> {
  await db.query(put, [accountId, types]);
}

const add = {
  name: 'notify.add_opt_out',
  text: `with waiting as (
  delete from notify.mail where account_id = $1 and type = $2
)
insert into notify.mail_opt_out (account_id, type) select account_id, $2 from auth.account_directory_v1 where account_id = $1
on conflict do nothing`,
};

export async function addOptOut(
  db: Queryable,
  { accountId, type }: { accountId: string; type: string },
): Promise<void> {
  await db.query(add, [accountId, type]);
}
