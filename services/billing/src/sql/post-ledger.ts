import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/runtime/postgres/database';
import type { LedgerPosting } from '../domain/ledger/ledger-posting.ts';

/** In the order of the unique key: two that make the same accounts at once wait for each other, and do not deadlock. */
const accountsText = `
insert into billing.ledger_account (kind, owner_id)
select distinct kind, owner_id from jsonb_to_recordset($1::jsonb) as t (kind text, owner_id uuid)
order by kind, owner_id
on conflict do nothing`;

// The platform's own accounts by a join of their own: one `is not distinct from` for both could use no index.
const postingsText = `
with posted as (
  insert into billing.ledger_transaction (business_key, occurred_at)
  select business_key, occurred_at from jsonb_to_recordset($1::jsonb) as t (business_key text, occurred_at timestamptz)
  returning transaction_id, business_key
), entry as (
  select * from jsonb_to_recordset($2::jsonb)
    as t (business_key text, place integer, kind text, owner_id uuid, amount_micros numeric)
)
insert into billing.ledger_entry (transaction_id, place, ledger_account_id, amount_micros)
select posted.transaction_id, t.place, a.ledger_account_id, t.amount_micros
from entry t join posted using (business_key) join billing.ledger_account a on a.kind = t.kind and a.owner_id = t.owner_id
union all
select posted.transaction_id, t.place, a.ledger_account_id, t.amount_micros
from entry t join posted using (business_key) join billing.ledger_account a on a.kind = t.kind and a.owner_id is null
where t.owner_id is null`;

/** All or none. Throws a unique violation if one of them was posted before; balances follow in the database. */
export async function postLedger(tx: Transaction, postings: readonly LedgerPosting[]): Promise<void> {
  if (postings.length === 0) return;
  const entries = postings.flatMap(toDbEntries);
  await tx.query({ name: 'post-ledger-accounts', text: accountsText }, [JSON.stringify(entries)]);
  const transactions = postings.map(({ businessKey, occurredAtMs }) => {
    return { business_key: businessKey, occurred_at: toIso(occurredAtMs) };
  });
  const values = [JSON.stringify(transactions), JSON.stringify(entries)];
  await tx.query({ name: 'post-ledger', text: postingsText }, values);
}

function toDbEntries({ businessKey, entries }: LedgerPosting) {
  return entries.map(({ kind, ownerId, amountMicros }, index) => ({
    business_key: businessKey,
    place: index + 1,
    kind,
    owner_id: ownerId,
    amount_micros: String(amountMicros),
  }));
}
