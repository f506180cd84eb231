import { toIso } from '@tollgate/kernel/clock';
import { arrayText } from '@tollgate/database/array-text';
import type { Transaction } from '@tollgate/database/database';
import type { LedgerAccountKind, LedgerPosting } from './ledger-posting.ts';

/**
 * Accounts are inserted in the order of the unique key. So two transactions that create the same accounts wait for each
 * other and do not deadlock.
 */
const accountsText = `
insert into billing.ledger_account (kind, owner_id)
select kind, owner_id from unnest($1::text[], $2::uuid[]) as t (kind, owner_id)
order by kind, owner_id
on conflict do nothing`;

// Accounts are looked up one by one. Platform accounts have a look-up of their own, since a single `is not distinct
// from` for both kinds could use no index. Entries name account and posting by their places, and accounts are
// materialized, so that each is looked up once and not once per entry.
const postingsText = `
with posted as (
  insert into billing.ledger_transaction (business_key, occurred_at)
  select * from unnest($1::text[], $2::timestamptz[])
  returning transaction_id, business_key
), posting as (
  select t.place, posted.transaction_id
  from unnest($1::text[]) with ordinality as t (business_key, place) join posted using (business_key)
), account as materialized (
  select t.place, case when t.owner_id is null
    then (select a.ledger_account_id from billing.ledger_account a where a.kind = t.kind and a.owner_id is null)
    else (select a.ledger_account_id from billing.ledger_account a where a.kind = t.kind and a.owner_id = t.owner_id)
  end as ledger_account_id
  from unnest($3::text[], $4::uuid[]) with ordinality as t (kind, owner_id, place)
)
insert into billing.ledger_entry (transaction_id, place, ledger_account_id, amount_micros)
select posting.transaction_id, t.place, account.ledger_account_id, t.amount_micros
from unnest($5::integer[], $6::integer[], $7::integer[], $8::numeric[]) as t (posting, place, account, amount_micros)
join posting on posting.place = t.posting join account on account.place = t.account`;

/**
 * Posts all of these postings or none, and the database updates balances. Throws a unique violation if one of the
 * business keys was posted before.
 */
export async function postLedger(tx: Transaction, postings: readonly LedgerPosting[]): Promise<void> {
  if (postings.length === 0) return;
  const { accounts, entries } = toDbEntries(postings);
  const accountColumns = [accounts.map(({ kind }) => kind), accounts.map(({ ownerId }) => ownerId)];
  const columns = [
    postings.map(({ businessKey }) => businessKey),
    postings.map(({ occurredAtMs }) => toIso(occurredAtMs)),
    ...accountColumns,
    arrayText(entries.map(({ posting }) => posting)),
    arrayText(entries.map(({ place }) => place)),
    arrayText(entries.map(({ account }) => account)),
    arrayText(entries.map(({ amountMicros }) => amountMicros)),
  ];
  await Promise.all([
    tx.query({ name: 'billing.post_ledger_accounts', text: accountsText }, accountColumns),
    // The statement is not prepared, so that the planner knows the number of rows. A plan for any number may compare
    // each entry with each account.
    tx.query(postingsText, columns),
  ]);
}

interface DbAccount {
  readonly kind: LedgerAccountKind;
  readonly ownerId: string | null;
}

/** Places count from 1, as in SQL. */
interface DbEntry {
  readonly posting: number;
  readonly place: number;
  readonly account: number;
  readonly amountMicros: bigint;
}

function toDbEntries(postings: readonly LedgerPosting[]): { accounts: DbAccount[]; entries: DbEntry[] } {
  const accounts: DbAccount[] = [];
  const places = new Map<string, number>();
  const placeOf = ({ kind, ownerId }: DbAccount): number => {
    const key = `${kind} ${ownerId}`;
    const place = places.get(key) ?? accounts.push({ kind, ownerId });
    places.set(key, place);
    return place;
  };
  const entries = postings.flatMap((posting, at) =>
    posting.entries.map((entry, index) => {
      return { posting: at + 1, place: index + 1, account: placeOf(entry), amountMicros: entry.amountMicros };
    }),
  );
  return { accounts, entries };
}

const hasPostingText = `select 1 from billing.ledger_transaction where business_key = $1`;

/** Says whether a posting with this business key exists. */
export async function hasPosting(tx: Transaction, businessKey: string): Promise<boolean> {
  return (await tx.query({ name: 'billing.has_posting', text: hasPostingText }, [businessKey])).length > 0;
}
