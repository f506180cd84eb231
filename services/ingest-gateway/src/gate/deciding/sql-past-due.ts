import type { Queryable } from '@tollgate/database/database';

export interface PastDueAccount {
  readonly accountId: string;
  readonly isPastDue: boolean;
  readonly changedSeq: bigint;
}

interface PastDueRow {
  readonly account_id: string;
  readonly is_past_due: boolean;
  readonly changed_seq: bigint;
}

const changedText = `select account_id, is_past_due, changed_seq from billing.past_due_account_v1
  where changed_seq > $1::bigint order by changed_seq`;

/** Uses the index on changed_seq. */
export async function readChangedPastDue(db: Queryable, afterSeq: bigint): Promise<PastDueAccount[]> {
  const statement = { name: 'gate.read_changed_past_due', text: changedText };
  const rows = await db.query<PastDueRow>(statement, [afterSeq.toString()]);
  return rows.map(({ account_id: accountId, is_past_due: isPastDue, changed_seq: changedSeq }) => ({
    accountId,
    isPastDue,
    changedSeq,
  }));
}

const findText = `select account_id from billing.past_due_account_v1 where is_past_due and account_id = any ($1::uuid[])`;

/** Finds those of the accounts that have an invoice past due or uncollectible now. */
export async function findPastDue(db: Queryable, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (accountIds.length === 0) return new Set();
  const statement = { name: 'gate.find_past_due', text: findText };
  const rows = await db.query<Pick<PastDueRow, 'account_id'>>(statement, [[...new Set(accountIds)]]);
  return new Set(rows.map((row) => row.account_id));
}
