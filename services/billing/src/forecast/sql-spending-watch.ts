import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';

const marksText = `select marked_until from billing.spending_marks`;

/** Until when accounts that made calls are marked. Undefined before the first time. */
export async function readMarkedUntil(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ marked_until: Date }>({ name: 'billing.read_spending_marks', text: marksText });
  return row?.marked_until.getTime();
}

// Per tool, the index by (tool_id, hour) has the hours. Calls of one's own tool are free.
const markText = `
with tool as (
  select tool_id, owner_id from billing.tool_directory_v1 where tool_id > $1 order by tool_id limit $2
), used as (
  select r.consumer_id, max(r.hour) + interval '1 hour' as until from tool t
  join usage.rollup_v1 r on r.tool_id = t.tool_id and r.hour >= $3 and r.hour < $4 and r.consumer_id <> t.owner_id
  group by 1 order by 1
), marked as (
  insert into billing.spending_watch as w (account_id, used_until, looked_until) select consumer_id, until, $3 from used
  on conflict (account_id) do update set used_until = excluded.used_until where w.used_until < excluded.used_until
)
select max(tool_id) as last_tool from tool`;

export interface Marking {
  /** Full hours. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly afterTool: string;
  readonly limit: number;
}

/** Marks the accounts that called the next tools. Returns the last of these tools, or null if none was left. */
export async function markAccountsOfTools(db: Queryable, marking: Marking): Promise<string | null> {
  const { afterTool, limit, fromMs, untilMs } = marking;
  const statement = { name: 'billing.mark_spending', text: markText };
  const values = [afterTool, limit, toIso(fromMs), toIso(untilMs)];
  return onlyRow(await db.query<{ last_tool: string | null }>(statement, values)).last_tool;
}

const moveText = `
insert into billing.spending_marks as m (marked_until) values ($1)
on conflict (only_row) do update set marked_until = greatest(m.marked_until, excluded.marked_until)`;

export async function moveMarkedUntil(db: Queryable, untilMs: number): Promise<void> {
  await db.query({ name: 'billing.move_spending_marks', text: moveText }, [toIso(untilMs)]);
}

const listText = `
select account_id from billing.spending_watch where looked_until < used_until and account_id > $1
order by account_id limit $2`;

export async function listAccountsToLookAt(
  db: Queryable,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<string[]> {
  const statement = { name: 'billing.list_accounts_to_look_at', text: listText };
  return (await db.query<{ account_id: string }>(statement, [afterId, limit])).map((row) => row.account_id);
}

export interface Watched {
  readonly usedUntilMs: number;
  readonly lookedUntilMs: number;
}

const lockText = `
select used_until, looked_until from billing.spending_watch where account_id = $1 and looked_until < used_until
for update skip locked`;

/** Locks an account until the transaction ends. Undefined: another process looks at it, or has. */
export async function lockWatched(tx: Transaction, accountId: string): Promise<Watched | undefined> {
  const statement = { name: 'billing.lock_watched', text: lockText };
  const [row] = await tx.query<{ used_until: Date; looked_until: Date }>(statement, [accountId]);
  return row && { usedUntilMs: row.used_until.getTime(), lookedUntilMs: row.looked_until.getTime() };
}

const lookedText = `update billing.spending_watch set looked_until = $2 where account_id = $1`;

export async function setLookedUntil(tx: Transaction, accountId: string, untilMs: number): Promise<void> {
  await tx.query({ name: 'billing.set_looked_until', text: lookedText }, [accountId, toIso(untilMs)], 'last');
}
