/** The end of the month that the expression names, in UTC. */
const endOf = (period: string) => `((${period} || '-01')::date + interval '1 month')::timestamp at time zone 'UTC'`;

/** Months of a table that do not follow each other. */
const gapsOf = (table: string, name: string) => `
    select format('${name} %s follows %s', period, before) from (
      select period, lag(period) over (order by period) as before from billing.${table}
    ) each where to_char((before || '-01')::date + interval '1 month', 'YYYY-MM') <> period`;

/** The rules of dates and periods. Each has the statement that selects the rows that break it, one text per row. */
export const dateChecks: Readonly<Record<string, string>> = {
  'closed periods and payout days have no gaps, and follow their months': `
    ${gapsOf('closed_period', 'closed period')}
    union all ${gapsOf('payout_day', 'payout day')}
    union all
    select format('period %s was closed at %s', period, closed_at) from billing.closed_period where closed_at < ${endOf('period')}
    union all
    select format('payout day of %s was at %s', period, done_at) from billing.payout_day where done_at < ${endOf('period')}
    union all
    select format('payout day of %s: the period is not closed', period) from billing.payout_day
    where period not in (select period from billing.closed_period)`,
  // A close writes its invoices first and its period last. Nothing else happens for a day only if nobody does anything.
  'each invoice is of a closed period': `
    select format('invoice %s (%s) of %s: the period is not closed', number, invoice_id, period)
    from billing.invoice where period not in (select period from billing.closed_period) and (
      period < (select max(period) from billing.closed_period)
      or issued_at < (select max(occurred_at) from billing.ledger_transaction) - interval '1 day')`,
  // A payout day writes its payouts first and its own row last, as a close does.
  'each payout is of a payout day': `
    select format('payout %s of %s: its payout day has no row', payout_id, period)
    from billing.payout where period not in (select period from billing.payout_day) and (
      period < (select max(period) from billing.payout_day)
      or created_at < (select max(occurred_at) from billing.ledger_transaction) - interval '1 day')`,
  'invoices are issued after their month, due after 14 days, and paid after their issue': `
    select format('invoice %s (%s) of %s: issued %s, due %s, paid %s', number, invoice_id, period, issued_at, due_at, paid_at)
    from billing.invoice
    where issued_at < ${endOf('period')} or due_at <> issued_at + interval '14 days' or paid_at < issued_at`,
  // Clocks of two closers differ.
  'invoice numbers follow the dates of issue': `
    select format('invoice %s (%s) was issued at %s, the one before at %s', number, invoice_id, issued_at, before)
    from (select *, lag(issued_at) over (order by number) as before from billing.invoice) i
    where issued_at < before - interval '1 day'`,
  // A posting for a month that was already closed stands in a later month, and so does the invoice of a consumer who
  // was set aside.
  'each posting is of the month to which it belongs': `
    select format('%s of %s: it is of %s, not of %s', t.business_key, t.occurred_at, t.period, expected)
    from billing.ledger_transaction t left join billing.invoice i on t.business_key = 'close:' || i.invoice_id
    cross join lateral (select coalesce(i.period, to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM')) as expected) e
    where t.period is distinct from expected and not (t.period > expected and exists (
      select from billing.closed_period c where c.period = expected and (i.period is null or i.issued_at > c.closed_at)
        and to_char(c.closed_at at time zone 'UTC', 'YYYY-MM') <= t.period))`,
  'closed periods take no more postings': `
    select format('period %s was closed with %s postings, and has %s', c.period, c.postings, count(t.transaction_id))
    from billing.closed_period c left join billing.ledger_transaction t using (period)
    group by c.period having count(t.transaction_id) is distinct from c.postings`,
  'postings, lines and documents have the same dates': `
    with dated (business_key, document_at) as (
      select 'close:' || invoice_id, issued_at from billing.invoice
      union all
      select 'paid:' || invoice_id, paid_at from billing.invoice where status = 'paid'
      union all
      select 'charge-fee:' || attempt_id, settled_at from billing.processor_attempt where kind = 'charge' and status = 'succeeded'
      union all
      select 'part-paid:' || attempt_id, settled_at from billing.processor_attempt where kind = 'charge' and status = 'succeeded'
      union all
      select 'fee-share:' || attempt_id, shared_at from billing.processor_fee_share
      union all
      select 'refund:' || refund_id, succeeded_at from billing.refund where status = 'succeeded'
      union all
      select 'top-up:' || top_up_id, succeeded_at from billing.top_up where status = 'succeeded'
      union all
      select 'top-up-refund:' || refund_id, created_at from billing.top_up_refund
      union all
      select 'top-up-refund-held:' || part_id, created_at from billing.balance_refund_part
      union all
      select 'top-up-refund-freed:' || part_id, settled_at from billing.balance_refund_part
      union all
      select 'payout:' || payout_id || ':scheduled:1', created_at from billing.payout
      union all
      select 'payout:' || subject_id || ':transferred:' || number, settled_at
      from billing.processor_attempt where kind = 'transfer' and status = 'succeeded'
    )
    select format('%s: posted at %s, the document says %s', t.business_key, t.occurred_at, d.document_at)
    from billing.ledger_transaction t join dated d using (business_key) where t.occurred_at <> d.document_at
    union all
    select format('line %s of invoice %s: released at %s, paid at %s', l.place, l.invoice_id, l.released_at, i.paid_at)
    from billing.released_line l join billing.invoice i on i.invoice_id = l.released_by where l.released_at <> i.paid_at
    union all
    select format('line %s of refund %s: at %s, the refund at %s', l.place, l.refund_id, l.refunded_at, r.succeeded_at)
    from billing.refunded_line l join billing.refund r using (refund_id) where l.refunded_at <> r.succeeded_at
    union all
    select format('payout %s: paid at %s, transferred at %s', p.payout_id, p.paid_at, a.settled_at)
    from billing.payout p join billing.processor_attempt a on a.kind = 'transfer' and a.subject_id = p.payout_id
      and a.status = 'succeeded' where p.status = 'paid' and p.paid_at <> a.settled_at
    union all
    select format('order %s: settled at %s, begun at %s', attempt_id, settled_at, started_at)
    from billing.processor_attempt where settled_at < started_at`,
};
