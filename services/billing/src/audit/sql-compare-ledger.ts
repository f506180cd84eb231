import { balancePaidText } from '../invoicing/invoice.ts';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import type { ReconcileScope } from './reconciliation.ts';

export interface LedgerCompared {
  readonly lines: bigint;
  readonly chargeMicros: bigint;
  readonly entries: bigint;
  /** The sum that the closes of the period's invoices credited to builders. */
  readonly postedMicros: bigint;
  readonly rows: readonly string[];
}

/**
 * Compares expected with actual postings of a period's documents, by document, kind of account and owner. The documents
 * are invoices with their payments, fees and refunds, top-ups with theirs, and payouts. All postings of a payout are compared as one sum,
 * which its status determines.
 */
const text = `
with invoice as materialized (
  select *, ${balancePaidText} as balance_cents from billing.invoice where period = $1
), payout as materialized (
  select * from billing.payout where period = $1
), line as materialized (
  select l.* from billing.invoice_line l join invoice i using (invoice_id)
), refund as materialized (
  select r.*, i.consumer_id from billing.refund r join invoice i using (invoice_id) where r.status = 'succeeded'
), given_back as materialized (
  select r.refund_id, l.builder_id, sum(l.charge_micros) as charge_micros, sum(l.earning_micros) as earning_micros,
    sum(l.fee_micros) as fee_micros
  from refund r join billing.refunded_line l using (refund_id) group by 1, 2
), top_up as materialized (
  select * from billing.top_up where to_char(created_at at time zone 'UTC', 'YYYY-MM') = $1
), top_up_refund as materialized (
  select * from billing.top_up_refund where to_char(created_at at time zone 'UTC', 'YYYY-MM') = $1
), refund_part as materialized (
  select * from billing.balance_refund_part where to_char(created_at at time zone 'UTC', 'YYYY-MM') = $1
), charge as materialized (
  select a.* from billing.processor_attempt a join invoice i on a.kind = 'charge' and a.subject_id = i.invoice_id
  union all
  select a.* from billing.processor_attempt a join top_up t on a.kind = 'charge' and a.subject_id = t.top_up_id
), part as materialized (
  select c.attempt_id, c.amount_cents, i.consumer_id from charge c join invoice i on i.invoice_id = c.subject_id
  join billing.ledger_transaction t on t.business_key = 'part-paid:' || c.attempt_id
), fee_share as materialized (
  select s.* from billing.processor_fee_share s join charge using (attempt_id)
), refund_fee (movement_id, fee_cents) as materialized (
  select a.attempt_id, a.fee_cents from billing.processor_attempt a join billing.refund r on r.refund_id = a.subject_id
  join invoice i using (invoice_id) where a.kind = 'refund' and a.fee_cents <> 0 and a.status in ('succeeded', 'reversed')
  union all
  select a.attempt_id, a.fee_cents from billing.processor_attempt a join refund_part p on p.part_id = a.subject_id
  where a.kind = 'refund' and a.fee_cents <> 0 and a.status in ('succeeded', 'reversed')
  union all
  select f.refund_id, f.fee_cents from billing.foreign_refund_fee f join refund using (refund_id)
  union all
  select f.refund_id, f.fee_cents from billing.foreign_refund_fee f join top_up_refund using (refund_id)
), dispute as materialized (
  select d.* from billing.dispute d left join invoice i using (invoice_id)
  where (d.fee_cents <> 0 or d.held_postings > 0) and (i.invoice_id is not null
    or d.top_up_id is not null and to_char(d.opened_at at time zone 'UTC', 'YYYY-MM') = $1)
), move as materialized (
  select m.* from billing.balance_move m left join invoice i using (invoice_id) where m.business_key not like 'refund:%' and m.business_key not like 'top-up%'
    and (i.invoice_id is not null or m.invoice_id is null and to_char(m.moved_at at time zone 'UTC', 'YYYY-MM') = $1)
), returned as materialized (
  select p.payout_id, p.builder_id, r.amount_cents from billing.transfer_return r
  join billing.processor_attempt a using (attempt_id) join payout p on a.kind = 'transfer' and a.subject_id = p.payout_id
), expected_entry (document, kind, owner_id, micros) as (
  select 'close:' || i.invoice_id, 'receivable', i.consumer_id, i.charge_micros from invoice i
  union all
  select 'close:' || invoice_id, 'builder_earned', builder_id, -charge_micros from line
  union all
  select 'part-paid:' || attempt_id, e.kind, e.owner_id, e.micros from part
  cross join lateral (values ('cash', null::uuid, amount_cents * 10000), ('part_paid', consumer_id, -amount_cents * 10000)) as e (kind, owner_id, micros)
  union all
  select 'paid:' || invoice_id, 'part_paid', consumer_id, part_paid_cents * 10000 from invoice where status = 'paid' and part_paid_cents > 0
  union all
  select 'paid:' || invoice_id, 'cash', null, (total_cents - balance_cents - part_paid_cents) * 10000 from invoice where status = 'paid' and total_cents > 0
  union all
  select 'paid:' || invoice_id, 'receivable', consumer_id, -(total_cents - balance_cents) * 10000 from invoice where status = 'paid' and total_cents > 0
  union all
  select 'paid:' || r.released_by, e.kind, e.owner_id, e.micros from billing.released_line r join invoice i on i.invoice_id = r.released_by
  cross join lateral (values ('builder_earned', r.builder_id, r.charge_micros), ('builder_payable', r.builder_id, -r.earning_micros),
    ('platform_fees', null::uuid, -r.fee_micros)) as e (kind, owner_id, micros)
  union all
  select 'charge-fee:' || attempt_id, e.kind, null, e.micros from charge
  cross join lateral (values ('processor_fees', fee_cents * 10000), ('cash', -fee_cents * 10000)) as e (kind, micros)
  union all
  select 'refund-fee:' || movement_id, e.kind, null, e.micros from refund_fee
  cross join lateral (values ('processor_fees', fee_cents * 10000), ('cash', -fee_cents * 10000)) as e (kind, micros)
  union all
  select 'fee-share:' || attempt_id, e.kind, e.owner_id, e.micros from fee_share
  cross join lateral (values ('builder_payable', builder_id, amount_micros), ('processor_fees', null::uuid, -amount_micros)) as e (kind, owner_id, micros)
  union all
  select 'refund:' || refund_id, e.kind, e.owner_id, e.micros from given_back
  cross join lateral (values ('builder_payable', builder_id, earning_micros), ('platform_fees', null::uuid, fee_micros)) as e (kind, owner_id, micros)
  union all
  select 'refund:' || r.refund_id, e.kind, e.owner_id, e.micros from refund r
  cross join lateral (values ('cash', null::uuid, (r.balance_cents - r.amount_cents) * 10000),
    ('consumer_balance', r.consumer_id, -r.balance_cents * 10000),
    ('rounding', null, r.amount_cents * 10000 - coalesce((select sum(g.charge_micros) from given_back g where g.refund_id = r.refund_id), 0))
  ) as e (kind, owner_id, micros)
  union all
  select m.business_key, e.kind, e.owner_id, e.micros from move m
  cross join lateral (values ('consumer_balance', m.account_id, -m.amount_cents * 10000),
    (case when m.invoice_id is null then 'promotions' else 'receivable' end,
      case when m.invoice_id is not null then m.account_id end, m.amount_cents * 10000)) as e (kind, owner_id, micros)
  union all
  select 'top-up:' || top_up_id, e.kind, e.owner_id, e.micros from top_up
  cross join lateral (values ('cash', null::uuid, amount_cents * 10000), ('consumer_balance', account_id, -amount_cents * 10000)
  ) as e (kind, owner_id, micros) where status = 'succeeded'
  union all
  select 'top-up-refund:' || refund_id, e.kind, e.owner_id, e.micros from top_up_refund
  cross join lateral (values ('cash', null::uuid, -amount_cents * 10000), ('consumer_balance', account_id, balance_cents * 10000),
    ('rounding', null, (amount_cents - balance_cents) * 10000)) as e (kind, owner_id, micros)
  union all
  select k.prefix || part_id, e.kind, account_id, k.sign * e.micros from refund_part
  cross join (values ('top-up-refund-held:', 1), ('top-up-refund-freed:', -1)) as k (prefix, sign)
  cross join lateral (values ('consumer_balance', amount_cents * 10000), ('refund_in_transit', -amount_cents * 10000)
  ) as e (kind, micros) where k.sign = 1 or settled_at is not null
  union all
  select 'payout:' || payout_id, e.kind, e.owner_id, e.micros from payout
  cross join lateral (values
    ('builder_payable', builder_id, case when status = 'failed' then 0 else net_cents * 10000 end),
    ('in_transit', builder_id, case when status = 'scheduled' then -net_cents * 10000 else 0 end),
    ('cash', null::uuid, case when status = 'paid' then -net_cents * 10000 else 0 end)) as e (kind, owner_id, micros)
  union all
  select 'payout:' || payout_id, e.kind, e.owner_id, e.micros from returned
  cross join lateral (values ('builder_payable', builder_id, -amount_cents * 10000), ('cash', null::uuid, amount_cents * 10000)) as e (kind, owner_id, micros)
  union all
  select 'dispute-held:' || dispute_id, e.kind, null, e.micros from dispute
  cross join lateral (values ('disputed', held_cents * 10000), ('cash', -held_cents * 10000)) as e (kind, micros)
  union all
  select 'dispute-fee:' || dispute_id, e.kind, null, e.micros from dispute
  cross join lateral (values ('processor_fees', fee_cents * 10000), ('cash', -fee_cents * 10000)) as e (kind, micros)
), key (document, business_key) as (
  select d.document, t.business_key
  from (select distinct document from expected_entry) d
  join billing.ledger_transaction t on t.business_key = d.document
  union all
  select 'payout:' || p.payout_id, t.business_key
  from payout p join billing.ledger_transaction t
    on t.business_key like 'payout:%' and left(t.business_key, 43) = 'payout:' || p.payout_id -- an id is 36 characters long
  union all
  select 'dispute-fee:' || d.dispute_id, t.business_key
  from dispute d join billing.ledger_transaction t
    on t.business_key like 'dispute-fee:%' and left(t.business_key, 48) = 'dispute-fee:' || d.dispute_id
  union all
  select 'dispute-held:' || d.dispute_id, t.business_key
  from dispute d join billing.ledger_transaction t
    on t.business_key like 'dispute-held:%' and left(t.business_key, 49) = 'dispute-held:' || d.dispute_id
), posted_entry as (
  select k.document, a.kind, a.owner_id, e.amount_micros as micros
  from key k join billing.ledger_transaction t using (business_key) join billing.ledger_entry e using (transaction_id)
  join billing.ledger_account a using (ledger_account_id)
), expected as (
  select document, kind, owner_id, sum(micros) as micros from expected_entry
  where $2::uuid is null or owner_id = $2 group by 1, 2, 3
), posted as (
  select document, kind, owner_id, sum(micros) as micros from posted_entry
  where $2::uuid is null or owner_id = $2 group by 1, 2, 3
), differing as materialized (
  select format('%s, %s of %s: expected %s, posted %s micro-dollars', e.document, e.kind, coalesce(e.owner_id::text, 'the platform'),
    coalesce(e.micros, 0), coalesce(p.micros, 0)) as line
  from expected e left join posted p on p.document = e.document and p.kind = e.kind and p.owner_id is not distinct from e.owner_id
  where coalesce(e.micros, 0) <> coalesce(p.micros, 0)
  union all
  select format('%s, %s of %s: nothing expected, posted %s micro-dollars', p.document, p.kind, coalesce(p.owner_id::text, 'the platform'), p.micros)
  from posted p where p.micros <> 0 and not exists (
    select from expected e where e.document = p.document and e.kind = p.kind and e.owner_id is not distinct from p.owner_id)
), counted_line as (
  select count(*) as lines, coalesce(sum(l.charge_micros), 0)::text as micros from line l join invoice i using (invoice_id)
  where $2::uuid is null or i.consumer_id = $2 or l.builder_id = $2
)
select l.lines, l.micros as charge_micros, (select count(*) from posted_entry where $2::uuid is null or owner_id = $2) as entries,
  (select coalesce(-sum(p.micros), 0)::text from posted_entry p
    where p.kind = 'builder_earned' and p.document like 'close:%' and ($2::uuid is null or p.owner_id = $2
      or substr(p.document, 7)::uuid in (select invoice_id from invoice where consumer_id = $2))) as posted_micros,
  array(select line from differing order by line collate "C") as rows
from counted_line l`;

export async function compareLedger(tx: Transaction, { period, accountId }: ReconcileScope): Promise<LedgerCompared> {
  const row = onlyRow(await tx.query<DbCompared>(text, [period, accountId ?? null]));
  return {
    lines: row.lines,
    chargeMicros: BigInt(row.charge_micros),
    entries: row.entries,
    postedMicros: BigInt(row.posted_micros),
    rows: row.rows,
  };
}

interface DbCompared {
  readonly lines: bigint;
  readonly charge_micros: string;
  readonly entries: bigint;
  readonly posted_micros: string;
  readonly rows: readonly string[];
}
