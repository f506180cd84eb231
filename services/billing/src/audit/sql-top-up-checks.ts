/**
 * The rules of top-ups and of their refunds. Each has the statement that selects the rows that break it;
 * `sql-ledger-checks.ts` runs them.
 */
export const topUpChecks: Readonly<Record<string, string>> = {
  'the ledger has each top-up and each of its refunds': `
    with expected (business_key, kind, owner, micros) as (
      select 'top-up:' || top_up_id, e.kind, e.owner, e.micros from billing.top_up cross join lateral (values
        ('cash', 'the platform', amount_cents * 10000), ('consumer_balance', account_id::text, -amount_cents * 10000)
      ) as e (kind, owner, micros) where status = 'succeeded'
      union all
      select 'top-up-refund:' || refund_id, e.kind, e.owner, e.micros from billing.top_up_refund cross join lateral (values
        ('cash', 'the platform', -amount_cents * 10000), ('consumer_balance', account_id::text, balance_cents * 10000),
        ('rounding', 'the platform', (amount_cents - balance_cents) * 10000)) as e (kind, owner, micros)
    ), posted as (
      select t.business_key, a.kind, coalesce(a.owner_id::text, 'the platform') as owner, sum(e.amount_micros) as micros
      from billing.ledger_transaction t join billing.ledger_entry e using (transaction_id)
      join billing.ledger_account a using (ledger_account_id) where t.business_key like 'top-up%' group by 1, 2, 3
    )
    select format('%s, %s of %s: expected %s, ledger %s', business_key, kind, owner, coalesce(e.micros, 0), coalesce(p.micros, 0))
    from expected e full join posted p using (business_key, kind, owner)
    where coalesce(e.micros, 0) <> coalesce(p.micros, 0)`,
  'each top-up is its charge and its credit': `
    select format('top-up %s of %s is %s, of %s cents: charges %s, credit of %s cents', t.top_up_id, t.account_id, t.status,
      t.amount_cents, coalesce(c.charges, 'none'), coalesce(b.amount_cents::text, 'no'))
    from billing.top_up t left join billing.balance_credit b on b.top_up_id = t.top_up_id
    cross join lateral (
      select string_agg(a.status || ' of ' || a.amount_cents, ', ' order by a.number) as charges, count(*) as orders,
        count(*) filter (where a.status = 'succeeded') as paid, count(*) filter (where a.status = 'unknown') as open,
        coalesce(bool_or(a.amount_cents <> t.amount_cents), false) as is_other
      from billing.processor_attempt a where a.of_top_up and a.kind = 'charge' and a.subject_id = t.top_up_id
    ) c
    where c.orders <> 1 or c.is_other or (c.paid > 0) <> (t.status = 'succeeded') or (c.open > 0) <> (t.status = 'pending')
      or (t.status = 'succeeded') <> (b.credit_id is not null)
      or (b.account_id, b.amount_cents, b.created_at) is distinct from (t.account_id, t.amount_cents, t.succeeded_at)
        and b.credit_id is not null`,
  'no top-up gives back more than it was, and each refund to its account': `
    select format('top-up %s of %s: of %s cents, given back %s', t.top_up_id, t.account_id, t.amount_cents, sum(r.amount_cents))
    from billing.top_up t join billing.top_up_refund r using (top_up_id)
    group by t.top_up_id having sum(r.amount_cents) not between 0 and t.amount_cents
      or bool_or(r.account_id <> t.account_id) or t.status <> 'succeeded'
    union all
    select format('refund %s of a top-up undoes %s: %s and %s cents', r.refund_id, u.refund_id, r.amount_cents, u.amount_cents)
    from billing.top_up_refund r join billing.top_up_refund u on u.refund_id = r.reinstates
    where (r.top_up_id, r.amount_cents, r.balance_cents) is distinct from (u.top_up_id, -u.amount_cents, -u.balance_cents)`,
  'refunds of top-ups are the disputes and the moves of balances that they say': `
    select format('refund %s of a top-up: %s cents from the balance, moves %s', r.refund_id, r.balance_cents, coalesce(m.cents, 0))
    from billing.top_up_refund r left join (
      select business_key, -sum(amount_cents) as cents from billing.balance_move
      where business_key like 'top-up-refund:%' group by 1
    ) m on m.business_key = 'top-up-refund:' || r.refund_id where coalesce(m.cents, 0) <> r.balance_cents
    union all
    select format('refund %s of a top-up, of %s cents: no dispute became it', refund_id, amount_cents)
    from billing.top_up_refund r where cause = 'dispute'
      and not exists (select from billing.top_up_refund b where b.reinstates = r.refund_id)
      and not exists (select from billing.dispute d where d.refund_id = r.refund_id and d.top_up_id = r.top_up_id)`,
};
