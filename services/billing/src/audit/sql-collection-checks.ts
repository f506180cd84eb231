import { balancePaidText } from '../invoicing/invoice.ts';

/**
 * Each invoice, with the period of the invoice whose payment releases its lines: its own, or the next one that bills
 * anything.
 */
const grouped = `grouped as (
  select i.*, min(period) filter (where total_cents > 0) over (
    partition by consumer_id order by period rows between current row and unbounded following) as released_period
  from billing.invoice i
)`;

const posted = `
  select t.business_key, a.kind, coalesce(a.owner_id::text, 'the platform') as owner, sum(e.amount_micros) as micros
  from billing.ledger_transaction t join billing.ledger_entry e using (transaction_id)
  join billing.ledger_account a using (ledger_account_id)`;

/**
 * The rules of collected, released and written off money. Each has the statement that selects the rows that break it;
 * `sql-ledger-checks.ts` runs them.
 */
export const collectionChecks: Readonly<Record<string, string>> = {
  'a paid invoice releases its lines and the unbilled lines before it, in order': `
    with ${grouped}, expected as (
      select p.invoice_id as released_by, l.invoice_id, l.place, l.builder_id, l.charge_micros,
        coalesce(l.adjustment_of, g.period) as line_period,
        row_number() over (partition by p.invoice_id order by g.period, l.place) as release_place
      from billing.invoice p join grouped g on g.consumer_id = p.consumer_id and g.released_period = p.period
      join billing.invoice_line l on l.invoice_id = g.invoice_id
      where p.status = 'paid' and p.total_cents > 0
    )
    select format('line %s of invoice %s: released by %s as %s. with %s, expected by %s as %s. with %s', place, invoice_id,
      r.released_by, r.release_place, r.charge_micros, e.released_by, e.release_place, e.charge_micros)
    from expected e full join billing.released_line r using (invoice_id, place)
    where (e.released_by, e.release_place, e.builder_id, e.charge_micros)
        is distinct from (r.released_by, r.release_place, r.builder_id, r.charge_micros)
      or r.gross_key not in ('lifetime', e.line_period)`,
  'each payment releases its collected amount, but for carried amounts': `
    with ${grouped}
    select format('invoice %s (%s): released %s, collected %s cents, carried %s',
      p.number, p.invoice_id, r.released, p.total_cents, sum(g.carried_out_micros - g.carried_in_micros))
    from billing.invoice p join grouped g on g.consumer_id = p.consumer_id and g.released_period = p.period
    cross join lateral (
      select coalesce(sum(charge_micros), 0) as released from billing.released_line l where l.released_by = p.invoice_id
    ) r
    where p.status = 'paid' and p.total_cents > 0
    group by p.invoice_id, r.released
    having r.released - p.total_cents * 10000 <> sum(g.carried_out_micros - g.carried_in_micros)`,
  'each released or refunded charge is its earning plus its fee': `
    select format('line %s of invoice %s: charge %s, earning %s, fee %s',
      place, invoice_id, charge_micros, earning_micros, fee_micros)
    from (
      select invoice_id, place, charge_micros, earning_micros, fee_micros from billing.released_line
      union all
      select invoice_id, place, charge_micros, earning_micros, fee_micros from billing.refunded_line
    ) line where charge_micros <> earning_micros + fee_micros`,
  'each builder’s gross is its released less its refunded charges': `
    with moved as (
      select builder_id, gross_key, charge_micros from billing.released_line
      union all
      select builder_id, gross_key, -charge_micros from billing.refunded_line
    ), summed as (
      select builder_id, gross_key, sum(charge_micros) as micros from moved group by 1, 2
    )
    select format('builder %s, %s: gross %s, lines %s', builder_id, gross_key, coalesce(g.gross_micros, 0), coalesce(s.micros, 0))
    from summed s full join billing.builder_gross g using (builder_id, gross_key)
    where coalesce(s.micros, 0) <> coalesce(g.gross_micros, 0)`,
  'the ledger has each payment with its released lines': `
    with expected as (
      select 'paid:' || invoice_id as business_key, 'cash' as kind, 'the platform' as owner,
        (total_cents - ${balancePaidText} - part_paid_cents) * 10000 as micros
      from billing.invoice where status = 'paid' and total_cents > 0
      union all
      select 'paid:' || invoice_id, 'part_paid', consumer_id::text, part_paid_cents * 10000
      from billing.invoice where status = 'paid' and total_cents > 0
      union all
      select 'paid:' || invoice_id, 'receivable', consumer_id::text, -(total_cents - ${balancePaidText}) * 10000
      from billing.invoice where status = 'paid' and total_cents > 0
      union all
      select 'paid:' || released_by, 'builder_earned', builder_id::text, sum(charge_micros)
      from billing.released_line group by 1, 3
      union all
      select 'paid:' || released_by, 'builder_payable', builder_id::text, -sum(earning_micros)
      from billing.released_line group by 1, 3
      union all
      select 'paid:' || released_by, 'platform_fees', 'the platform', -sum(fee_micros) from billing.released_line group by 1
    ), posted as (${posted} where t.business_key like 'paid:%' group by 1, 2, 3)
    select format('%s, %s of %s: expected %s, ledger %s', business_key, kind, owner, coalesce(e.micros, 0), coalesce(p.micros, 0))
    from expected e full join posted p using (business_key, kind, owner)
    where coalesce(e.micros, 0) <> coalesce(p.micros, 0)`,
  'uncollectible and void invoices are written off, and no others': `
    with ${grouped}, lost as (
      select p.invoice_id as of_invoice, p.consumer_id, l.builder_id, l.charge_micros
      from billing.invoice p join grouped g on g.consumer_id = p.consumer_id and g.released_period = p.period
      join billing.invoice_line l on l.invoice_id = g.invoice_id
      where p.status in ('uncollectible', 'void')
    ), expected as (
      select of_invoice::text, 'builder_earned' as kind, builder_id::text as owner, sum(charge_micros) as micros
      from lost group by 1, 2, 3
      union all
      select of_invoice::text, 'receivable', consumer_id::text, -sum(charge_micros) from lost group by 1, 2, 3
    ), posted as (
      select split_part(business_key, ':', 2) as of_invoice, kind, owner, sum(micros) as micros from (
        ${posted} where t.business_key like 'written-off:%' or t.business_key like 'restored:%' group by 1, 2, 3
      ) each_posting group by 1, 2, 3
    )
    select format('invoice %s, %s of %s: expected %s, ledger %s', of_invoice, kind, owner, coalesce(e.micros, 0), coalesce(p.micros, 0))
    from expected e full join posted p using (of_invoice, kind, owner)
    where coalesce(e.micros, 0) <> coalesce(p.micros, 0)`,
  'each successful charge paid its invoice or is a stray': `
    with charged as (
      select subject_id as invoice_id, sum(amount_cents) * 10000 as micros
      from billing.processor_attempt where kind = 'charge' and status in ('succeeded', 'reversed') group by 1
    ), stray as (
      select a.subject_id as invoice_id, -sum(p.micros) as micros
      from billing.processor_attempt a
      join (${posted} where t.business_key like 'stray-charge:%' and a.kind = 'rounding' group by 1, 2, 3) p
        on p.business_key = 'stray-charge:' || a.attempt_id
      group by 1
    )
    select format('invoice %s (%s): charged %s, paid %s, stray %s', i.number, i.invoice_id,
      coalesce(c.micros, 0), paid.micros, coalesce(s.micros, 0))
    from (select *, ${balancePaidText} as balance_cents from billing.invoice) i
    left join charged c using (invoice_id) left join stray s using (invoice_id)
    cross join lateral (select case when i.status = 'paid' then i.total_cents - i.balance_cents else i.part_paid_cents end * 10000 as micros) paid
    where coalesce(c.micros, 0) <> paid.micros + coalesce(s.micros, 0)`,
  'the ledger has what charges paid of an invoice before the last one': `
    with posted as (${posted} where a.kind = 'part_paid' and t.business_key not like 'paid:%' group by 1, 2, 3),
    part as (
      select c.subject_id as invoice_id, c.attempt_id, c.amount_cents, p.business_key, p.owner, p.micros
      from posted p left join billing.processor_attempt c
        on c.kind = 'charge' and p.business_key in ('part-paid:' || c.attempt_id, 'stray-charge:' || c.attempt_id)
    )
    select format('%s of %s cents of %s: ledger %s', business_key, amount_cents, owner, micros)
    from part left join billing.invoice i using (invoice_id)
    where i.consumer_id::text is distinct from owner
      or micros <> amount_cents * case when business_key like 'part-paid:%' then -10000 else 10000 end
    union all
    select format('invoice %s (%s): %s cents paid in parts, ledger %s', i.number, i.invoice_id, i.part_paid_cents, -coalesce(sum(p.micros), 0))
    from billing.invoice i left join part p using (invoice_id)
    group by i.invoice_id having i.part_paid_cents * 10000 <> -coalesce(sum(p.micros), 0)`,
  'the ledger has the share of each builder in the processor’s fee': `
    with expected as (
      select 'fee-share:' || attempt_id as business_key, e.kind, e.owner, sum(e.micros) as micros
      from billing.processor_fee_share cross join lateral (values ('builder_payable', builder_id::text, amount_micros),
        ('processor_fees', 'the platform', -amount_micros)) as e (kind, owner, micros) group by 1, 2, 3
    ), posted as (${posted} where t.business_key like 'fee-share:%' group by 1, 2, 3)
    select format('%s, %s of %s: expected %s, ledger %s', business_key, kind, owner, coalesce(e.micros, 0), coalesce(p.micros, 0))
    from expected e full join posted p using (business_key, kind, owner)
    where coalesce(e.micros, 0) <> coalesce(p.micros, 0)`,
  // To the micro-dollar, of the largest remainder: a share is its exact part, rounded down or up.
  'builders bear at most the processor’s fee, in proportion to what the charge paid them': `
    with earned as (
      select released_by, builder_id, sum(earning_micros) as earning from billing.released_line group by 1, 2
      having sum(earning_micros) > 0
    ), shared as (
      select s.attempt_id, a.subject_id as invoice_id, least(a.fee_cents * 10000, e.earned) as to_share, e.earned,
        sum(s.amount_micros) as micros
      from billing.processor_fee_share s left join billing.processor_attempt a
        on a.attempt_id = s.attempt_id and a.kind = 'charge' and a.status in ('succeeded', 'reversed')
      left join (select released_by, sum(earning) as earned from earned group by 1) e on e.released_by = a.subject_id
      group by 1, 2, 3, 4
    )
    select format('charge %s: builders bear %s of the fee, expected %s', attempt_id, micros, coalesce(to_share, 0))
    from shared where micros is distinct from to_share
    union all
    select format('charge %s: builder %s bears %s, its part is %s of %s', h.attempt_id, coalesce(s.builder_id, e.builder_id),
      coalesce(s.amount_micros, 0), coalesce(e.earning, 0), h.earned)
    from shared h join earned e on e.released_by = h.invoice_id
    full join billing.processor_fee_share s on s.attempt_id = h.attempt_id and s.builder_id = e.builder_id
    where abs(coalesce(s.amount_micros, 0) * h.earned - coalesce(e.earning, 0) * h.to_share) >= h.earned
      or h.attempt_id is null`,
  'the ledger has the processor’s fee on each charge': `
    with expected as (
      select 'charge-fee:' || attempt_id as business_key, fee_cents * 10000 as micros
      from billing.processor_attempt where kind = 'charge' and fee_cents <> 0
    ), posted as (${posted} where t.business_key like 'charge-fee:%' and a.kind = 'processor_fees' group by 1, 2, 3)
    select format('%s: expected %s, ledger %s', business_key, coalesce(e.micros, 0), coalesce(p.micros, 0))
    from expected e full join posted p using (business_key) where coalesce(e.micros, 0) <> coalesce(p.micros, 0)`,
};
