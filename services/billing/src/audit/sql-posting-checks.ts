import { chargeCentsMax } from '../processor/processor.ts';

/** The key of each posting that our documents may have. */
const documents = `document (business_key) as (
  select kind || invoice_id from billing.invoice, (values ('close:'), ('written-off:'), ('restored:')) as k (kind)
  union all
  select 'paid:' || invoice_id from billing.invoice where status = 'paid' and total_cents > 0
  union all
  select k.kind || attempt_id from billing.processor_attempt a,
    (values ('charge-fee:'), ('part-paid:'), ('stray-charge:'), ('stray-charge-returned:')) as k (kind) where a.kind = 'charge'
  union all
  select 'refund-fee:' || attempt_id from billing.processor_attempt where kind = 'refund' and fee_cents <> 0
  union all
  select 'refund-fee:' || refund_id from billing.foreign_refund_fee
  union all
  select 'fee-share:' || attempt_id from billing.processor_fee_share
  union all
  select 'refund:' || refund_id from billing.refund where status = 'succeeded'
  union all
  select 'returned-refund:' || subject_id || ':' || number from billing.processor_attempt where kind = 'refund'
  union all
  select 'returned-refund:' || refund_id || ':1' from billing.refund where cause = 'processor'
  union all
  select case when top_up_id is null then 'credit:' else 'top-up:' end || credit_id from billing.balance_credit
  union all
  select 'top-up-refund:' || refund_id from billing.top_up_refund
  union all
  select 'top-up-refund-held:' || part_id from billing.balance_refund_part
  union all
  select 'top-up-refund-freed:' || part_id from billing.balance_refund_part where settled_at is not null
  union all
  select m.business_key from billing.balance_move m left join billing.invoice i using (invoice_id)
  where m.business_key ~ ('^balance-(paid|returned):' || i.invoice_id || ':') or m.business_key like 'credit-expired:' || m.credit_id || ':%'
  union all
  select 'dispute-fee:' || dispute_id || ':' || place from billing.dispute, generate_series(1, fee_postings) as place
  union all
  select 'dispute-held:' || dispute_id || ':' || place from billing.dispute, generate_series(1, held_postings) as place
  union all
  select 'own-payout:' || own_payout_id || ':' || place from billing.own_payout, generate_series(1, postings) as place
  union all
  select 'payout:' || payout_id || k.kind || place from billing.payout, (values (':scheduled:'), (':failed:')) as k (kind),
    generate_series(1, schedules) as place
  union all
  select 'payout:' || subject_id || k.kind || number from billing.processor_attempt a,
    (values (':transferred:'), (':reversed:')) as k (kind) where a.kind = 'transfer'
  union all
  select 'payout:' || a.subject_id || ':returned:' || a.number || ':' || r.place
  from billing.transfer_return r join billing.processor_attempt a using (attempt_id)
)`;

const accountsOf = `(values
  ('close', array['receivable', 'builder_earned']),
  ('written-off', array['receivable', 'builder_earned']),
  ('restored', array['receivable', 'builder_earned']),
  ('paid', array['cash', 'part_paid', 'receivable', 'builder_earned', 'builder_payable', 'platform_fees']),
  ('charge-fee', array['processor_fees', 'cash']),
  ('refund-fee', array['processor_fees', 'cash']),
  ('fee-share', array['builder_payable', 'processor_fees']),
  ('dispute-fee', array['processor_fees', 'cash']),
  ('dispute-held', array['disputed', 'cash']),
  ('own-payout', array['bank', 'processor_fees', 'cash']),
  ('part-paid', array['cash', 'part_paid']),
  ('stray-charge', array['cash', 'part_paid', 'rounding']),
  ('stray-charge-returned', array['cash', 'rounding']),
  ('credit', array['promotions', 'consumer_balance']),
  ('credit-expired', array['promotions', 'consumer_balance']),
  ('top-up', array['cash', 'consumer_balance']),
  ('top-up-refund', array['cash', 'consumer_balance', 'rounding']),
  ('top-up-refund-held', array['consumer_balance', 'refund_in_transit']),
  ('top-up-refund-freed', array['consumer_balance', 'refund_in_transit']),
  ('balance-paid', array['receivable', 'consumer_balance']),
  ('balance-returned', array['receivable', 'consumer_balance']),
  ('refund', array['builder_payable', 'platform_fees', 'rounding', 'cash', 'consumer_balance']),
  ('returned-refund', array['cash', 'rounding']),
  ('payout', array['builder_payable', 'in_transit', 'cash'])
) as k (prefix, kinds)`;

const posted = `
  select t.business_key, a.kind, coalesce(a.owner_id::text, 'the platform') as owner, sum(e.amount_micros) as micros
  from billing.ledger_transaction t join billing.ledger_entry e using (transaction_id)
  join billing.ledger_account a using (ledger_account_id)`;

/** The rules of postings in general, and of refunds, disputes and strays. Each has the statement that selects the rows that break it. */
export const postingChecks: Readonly<Record<string, string>> = {
  'every posting belongs to a document': `
    with ${documents}
    select format('%s of %s: no document has this posting', t.business_key, t.occurred_at)
    from billing.ledger_transaction t where not exists (select from document d where d.business_key = t.business_key)`,
  'every posting uses only the accounts of its kind': `
    select format('%s: %s of %s', t.business_key, a.kind, coalesce(a.owner_id::text, 'the platform'))
    from billing.ledger_transaction t join billing.ledger_entry e using (transaction_id)
    join billing.ledger_account a using (ledger_account_id)
    join ${accountsOf} on k.prefix = split_part(t.business_key, ':', 1)
    where a.kind <> all (k.kinds)`,
  'the ledger has each refund with its lines': `
    with refund as (
      select r.refund_id, r.amount_cents * 10000 as micros, r.balance_cents * 10000 as balance, i.consumer_id,
        (select coalesce(sum(l.charge_micros), 0) from billing.refunded_line l where l.refund_id = r.refund_id) as of_lines
      from billing.refund r join billing.invoice i using (invoice_id) where r.status = 'succeeded'
    ), expected as (
      select 'refund:' || refund_id as business_key, e.kind, e.owner, e.micros
      from refund cross join lateral (values ('cash', 'the platform', balance - micros), ('rounding', 'the platform', micros - of_lines),
        ('consumer_balance', consumer_id::text, -balance)) as e (kind, owner, micros)
      union all
      select 'refund:' || refund_id, 'builder_payable', builder_id::text, sum(earning_micros)
      from billing.refunded_line group by 1, 3
      union all
      select 'refund:' || refund_id, 'platform_fees', 'the platform', sum(fee_micros) from billing.refunded_line group by 1
    ), posted as (${posted} where t.business_key like 'refund:%' group by 1, 2, 3)
    select format('%s, %s of %s: expected %s, ledger %s', business_key, kind, owner, coalesce(e.micros, 0), coalesce(p.micros, 0))
    from expected e full join posted p using (business_key, kind, owner)
    where coalesce(e.micros, 0) <> coalesce(p.micros, 0)`,
  'each refund of an invoice has its credit note, and their numbers have no gaps': `
    with refund as (
      select refund_id, invoice_id, amount_cents, succeeded_at from billing.refund
      where status = 'succeeded' and stray_attempt_id is null
    )
    select format('refund %s of %s cents: credit note %s of %s cents', refund_id, r.amount_cents, coalesce(n.number::text, 'none'),
      n.amount_cents)
    from refund r full join billing.credit_note n using (refund_id)
    where (r.invoice_id, r.amount_cents, r.succeeded_at) is distinct from (n.invoice_id, n.amount_cents, n.issued_at)
    union all
    select format('credit note %s of refund %s is the %s. in their order', number, refund_id, place)
    from (select number, refund_id, row_number() over (order by number) as place from billing.credit_note) n where number <> place`,
  'strays and returned refunds are posted with their amounts': `
    with amount as (
      select 'stray-charge:' || attempt_id as business_key, amount_cents from billing.processor_attempt where kind = 'charge'
      union all
      select 'stray-charge-returned:' || attempt_id, -amount_cents from billing.processor_attempt where kind = 'charge'
      union all
      select 'returned-refund:' || r.refund_id || ':' || n, r.amount_cents - r.balance_cents from billing.refund r
      cross join lateral (select number from billing.processor_attempt where kind = 'refund' and subject_id = r.refund_id
        union all select 1 where r.cause = 'processor') as a (n)
    ), posted as (${posted} where a.kind = 'rounding' and split_part(t.business_key, ':', 1)
      in ('stray-charge', 'stray-charge-returned', 'returned-refund') group by 1, 2, 3)
    select format('%s: %s cents, ledger %s', business_key, a.amount_cents, p.micros)
    from posted p join amount a using (business_key) where p.micros <> -a.amount_cents * 10000`,
  'the ledger has the processor’s fee on each refund': `
    with expected as (
      select 'refund-fee:' || attempt_id as business_key, fee_cents * 10000 as micros
      from billing.processor_attempt where kind = 'refund' and fee_cents <> 0 and status in ('succeeded', 'reversed')
      union all
      select 'refund-fee:' || refund_id, fee_cents * 10000 from billing.foreign_refund_fee
    ), posted as (${posted} where t.business_key like 'refund-fee:%' and a.kind = 'processor_fees' group by 1, 2, 3)
    select format('%s: expected %s, ledger %s', business_key, coalesce(e.micros, 0), coalesce(p.micros, 0))
    from expected e full join posted p using (business_key) where coalesce(e.micros, 0) <> coalesce(p.micros, 0)
    union all
    select format('fee of refund %s: nobody made it at the processor', f.refund_id) from billing.foreign_refund_fee f
    where f.refund_id not in (select refund_id from billing.refund where cause = 'processor'
      union all select refund_id from billing.top_up_refund where cause = 'processor')`,
  'the ledger has the processor’s fee on each dispute': `
    with posted as (
      select split_part(business_key, ':', 2) as dispute_id, sum(micros) as micros
      from (${posted} where t.business_key like 'dispute-fee:%' and a.kind = 'processor_fees' group by 1, 2, 3) p group by 1
    )
    select format('dispute %s: fee of %s cents, ledger %s', d.dispute_id, d.fee_cents, coalesce(p.micros, 0))
    from billing.dispute d left join posted p on p.dispute_id = d.dispute_id::text
    where coalesce(d.fee_cents, 0) * 10000 <> coalesce(p.micros, 0)`,
  'the ledger has each payout of the platform’s own balance': `
    with posted as (
      select split_part(business_key, ':', 2) as own_payout_id, sum(micros) filter (where kind = 'bank') as bank,
        sum(micros) filter (where kind = 'processor_fees') as fees
      from (${posted} where t.business_key like 'own-payout:%' group by 1, 2, 3) p group by 1
    )
    select format('payout %s of %s cents: taken %s with a fee of %s, ledger %s and %s', o.object_id, o.amount_cents, o.taken_cents,
      o.fee_cents, coalesce(p.bank, 0), coalesce(p.fees, 0))
    from billing.own_payout o left join posted p on p.own_payout_id = o.own_payout_id::text
    where o.taken_cents * 10000 <> coalesce(p.bank, 0) or o.fee_cents * 10000 <> coalesce(p.fees, 0)
      or o.taken_cents not in (0, o.amount_cents)`,
  // A dispute of before its money was posted has no such posting until it is read again, within a day.
  'the ledger has the money of each dispute that is not decided': `
    with posted as (
      select split_part(business_key, ':', 2) as dispute_id, sum(micros) as micros
      from (${posted} where t.business_key like 'dispute-held:%' and a.kind = 'disputed' group by 1, 2, 3) p group by 1
    )
    select format('dispute %s is %s: %s cents taken, %s held, ledger %s', d.dispute_id, d.status, d.taken_cents, d.held_cents,
      coalesce(p.micros, 0))
    from billing.dispute d left join posted p on p.dispute_id = d.dispute_id::text
    where d.held_cents * 10000 <> coalesce(p.micros, 0)
      or d.held_postings > 0 and d.held_cents <> case d.status when 'lost' then 0 else d.taken_cents end`,
  'each dispute is the refunds that it became': `
    with taken as (
      select d.dispute_id, sum(r.amount_cents) as cents from billing.dispute d
      join (
        select refund_id, reinstates, invoice_id as subject_id, amount_cents from billing.refund where status = 'succeeded'
        union all
        select refund_id, reinstates, top_up_id, amount_cents from billing.top_up_refund
      ) r on r.refund_id = d.refund_id or r.reinstates = d.refund_id
      where r.subject_id = coalesce(d.invoice_id, d.top_up_id) group by 1
    )
    select format('dispute %s is %s: of %s cents, refunded %s', d.dispute_id, d.status, d.amount_cents, coalesce(t.cents, 0))
    from billing.dispute d left join taken t using (dispute_id)
    where coalesce(t.cents, 0) <> case d.status when 'lost' then d.amount_cents else 0 end
    union all
    select format('refund %s of %s cents: no dispute became it', refund_id, amount_cents) from billing.refund r
    where cause = 'dispute' and not exists (select from billing.refund b where b.reinstates = r.refund_id)
      and not exists (select from billing.dispute d where d.refund_id = r.refund_id)`,
  'each refund that the operator ordered is its order': `
    select format('refund %s is %s, of %s cents, %s of them to the balance: orders %s', r.refund_id, r.status, r.amount_cents,
      r.balance_cents, coalesce(o.orders, 'none'))
    from billing.refund r cross join lateral (
      select string_agg(a.status || ' of ' || a.amount_cents, ', ' order by a.number) as orders,
        count(*) filter (where a.status in ('succeeded', 'reversed')) as gone,
        coalesce(bool_or(a.amount_cents <> r.amount_cents - r.balance_cents), false) as is_other
      from billing.processor_attempt a where a.kind = 'refund' and a.subject_id = r.refund_id
    ) o
    where r.cause = 'operator' and case when r.amount_cents = r.balance_cents then o.orders is not null or r.status <> 'succeeded'
      else o.orders is null or o.is_other or r.status = 'succeeded' and o.gone <> 1 end`,
  'no line gives back more than was released, and each to its builder': `
    select format('line %s of invoice %s: released %s of %s, given back %s of %s', r.place, r.invoice_id, l.charge_micros,
      l.builder_id, sum(r.charge_micros), string_agg(distinct r.builder_id::text, ', '))
    from billing.refunded_line r left join billing.released_line l using (invoice_id, place)
    group by r.invoice_id, r.place, l.charge_micros, l.builder_id, l.gross_key
    having l.builder_id is null or count(*) filter (where r.builder_id <> l.builder_id or r.gross_key <> l.gross_key) > 0
      or (l.charge_micros >= 0 and sum(r.charge_micros) not between 0 and l.charge_micros)`,
  'each order is of its document and of its party': `
    select format('charge %s of %s cents from %s: invoice %s of %s cents', a.attempt_id, a.amount_cents, a.party_id,
      coalesce(i.number::text, 'none'), i.total_cents)
    from billing.processor_attempt a left join billing.invoice i on i.invoice_id = a.subject_id
    left join billing.processor_customer c on c.account_id = i.consumer_id and c.processor = a.processor
    where a.kind = 'charge' and not a.of_top_up and (c.processor_customer_id <> a.party_id or i.total_cents is null
      or a.amount_cents > i.total_cents or a.amount_cents < i.total_cents
        and not exists (select from billing.balance_move m where m.invoice_id = i.invoice_id)
        and i.total_cents <= ${chargeCentsMax})
    union all
    select format('charge %s of %s cents from %s: top-up of %s, of %s cents', a.attempt_id, a.amount_cents, a.party_id,
      coalesce(t.account_id::text, 'nobody'), t.amount_cents)
    from billing.processor_attempt a left join billing.top_up t on t.top_up_id = a.subject_id
    left join billing.processor_customer c on c.account_id = t.account_id and c.processor = a.processor
    where a.kind = 'charge' and a.of_top_up
      and (c.processor_customer_id is distinct from a.party_id or t.amount_cents is distinct from a.amount_cents)
    union all
    select format('refund %s of charge %s: it is of no charge of its invoice or top-up', a.attempt_id, a.party_id)
    from billing.processor_attempt a left join billing.refund r on not a.of_top_up and r.refund_id = a.subject_id
    left join billing.balance_refund_part p on a.of_top_up and p.part_id = a.subject_id
    where a.kind = 'refund' and not exists (select from billing.processor_attempt c
      where c.kind = 'charge' and c.subject_id = coalesce(r.invoice_id, p.top_up_id) and c.object_id = a.party_id)`,
};
