import { type Queryable, onlyRow, type Transaction } from '@tollgate/database/database';

/** A payout of the platform as our books have it. */
export interface BookedOwnPayout {
  readonly objectId: string;
  readonly amountCents: bigint;
  readonly takenCents: bigint;
  readonly feeCents: bigint;
  /** Its amounts in the ledger, at the bank and as fees. */
  readonly bankMicros: bigint;
  readonly feesMicros: bigint;
  readonly madeAtMs: number;
}

const text = `
select o.object_id, o.amount_cents, o.taken_cents, o.fee_cents, o.made_at,
  coalesce(sum(e.amount_micros) filter (where a.kind = 'bank'), 0)::text as bank,
  coalesce(sum(e.amount_micros) filter (where a.kind = 'processor_fees'), 0)::text as fees
from billing.own_payout o left join lateral generate_series(1, o.postings) as n (place) on true
left join billing.ledger_transaction t on t.business_key = 'own-payout:' || o.own_payout_id || ':' || n.place
left join billing.ledger_entry e using (transaction_id) left join billing.ledger_account a using (ledger_account_id)
where o.processor = $1 and (to_char(o.made_at at time zone 'UTC', 'YYYY-MM') = $2 or o.object_id = any ($3))
group by o.own_payout_id order by o.object_id`;

export interface OwnPayoutsQuery {
  readonly processor: string;
  /** Selects the payouts of this month, and those with these ids. */
  readonly period: string;
  readonly objectIds: readonly string[];
}

export async function readOwnPayouts(db: Queryable, query: OwnPayoutsQuery): Promise<BookedOwnPayout[]> {
  const rows = await db.query<DbOwnPayout>(text, [query.processor, query.period, query.objectIds]);
  return rows.map((row) => ({
    objectId: row.object_id,
    amountCents: BigInt(row.amount_cents),
    takenCents: BigInt(row.taken_cents),
    feeCents: BigInt(row.fee_cents),
    bankMicros: BigInt(row.bank),
    feesMicros: BigInt(row.fees),
    madeAtMs: row.made_at.getTime(),
  }));
}

interface DbOwnPayout {
  readonly object_id: string;
  readonly amount_cents: string;
  readonly taken_cents: string;
  readonly fee_cents: string;
  readonly bank: string;
  readonly fees: string;
  readonly made_at: Date;
}

export interface Cash {
  readonly cashMicros: bigint;
  /** The number of entries of the cash account. */
  readonly entries: bigint;
  /** Withdrawn by the processor for disputes that are not decided, and not posted yet. */
  readonly disputedCents: bigint;
  /** Orders whose outcome is unknown. */
  readonly underway: number;
}

const readCashText = `
select (select coalesce(sum(e.amount_micros), 0)::text from billing.ledger_entry e
    join billing.ledger_account a using (ledger_account_id) where a.kind = 'cash') as cash,
  (select count(*) from billing.ledger_entry e join billing.ledger_account a using (ledger_account_id)
    where a.kind = 'cash') as entries,
  (select coalesce(sum(taken_cents - held_cents), 0)::text from billing.dispute where processor = $1 and status <> 'lost') as disputed,
  (select count(*)::int from billing.processor_attempt where processor = $1 and status = 'unknown') as underway`;

export async function readCash(tx: Transaction, processor: string): Promise<Cash> {
  const row = onlyRow(
    await tx.query<{ cash: string; entries: bigint; disputed: string; underway: number }>(readCashText, [processor]),
  );
  const { entries, underway } = row;
  return { cashMicros: BigInt(row.cash), disputedCents: BigInt(row.disputed), entries, underway };
}
