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
      union all
      select k.prefix || part_id, e.kind, account_id::text, k.sign * e.micros from billing.balance_refund_part
      cross join (values ('top-up-refund-held:', 1), ('top-up-refund-freed:', -1)) as k (prefix, sign)
      cross join lateral (values ('consumer_balance', amount_cents * 10000), ('refund_in_transit', -amount_cents * 10000)
      ) as e (kind, micros) where k.sign = 1 or settled_at is not null
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
  // A bank may take all of a charge by a dispute, whatever was refunded before.
  'no top-up gives back more than it was, and each refund to its account': `
    select format('top-up %s of %s: of %s cents, given back %s', t.top_up_id, t.account_id, t.amount_cents, sum(r.amount_cents))
    from billing.top_up t join billing.top_up_refund r using (top_up_id) left join billing.top_up_refund u on u.refund_id = r.reinstates
    group by t.top_up_id, coalesce(u.cause, r.cause) = 'dispute' having sum(r.amount_cents) not between 0 and t.amount_cents
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
  'each part of a balance’s refund is its order, its moves and what its top-up gave': `
    select format('part %s of refund %s is %s, of %s cents: orders %s, moves %s, given %s', p.part_id, p.refund_id, p.status,
      p.amount_cents, coalesce(o.orders, 'none'), coalesce(m.moves, 'none'), coalesce(g.cents, 0))
    from billing.balance_refund_part p cross join lateral (
      select string_agg(a.status || ' of ' || a.amount_cents, ', ' order by a.number) as orders, count(*) as number,
        coalesce(bool_or(a.amount_cents <> p.amount_cents), false) as is_other, max(a.status) as status
      from billing.processor_attempt a where a.of_top_up and a.kind = 'refund' and a.subject_id = p.part_id
    ) o cross join lateral (
      select string_agg(split_part(b.business_key, ':', 1) || ' ' || b.amount_cents, ', ' order by b.amount_cents) as moves,
        coalesce(bool_or(b.credit_id <> p.top_up_id), false) as is_other
      from billing.balance_move b where b.business_key in ('top-up-refund-held:' || p.part_id, 'top-up-refund-freed:' || p.part_id)
    ) m cross join lateral (
      select sum(r.amount_cents) as cents, bool_or((r.top_up_id, r.account_id) is distinct from (p.top_up_id, p.account_id)) as is_other
      from billing.top_up_refund r where r.refund_id = p.part_id or r.reinstates = p.part_id
    ) g
    where o.number <> 1 or o.is_other or m.is_other or g.is_other
      or p.status <> case o.status when 'unknown' then 'pending' when 'succeeded' then 'succeeded' else 'failed' end
      or coalesce(g.cents, 0) <> case p.status when 'succeeded' then p.amount_cents else 0 end
      or m.moves is distinct from concat('top-up-refund-held -', p.amount_cents,
        case when p.settled_at is not null then ', top-up-refund-freed ' || p.amount_cents end)
    union all
    select format('refund %s of a top-up, of %s cents: no part of a balance’s refund is it', refund_id, amount_cents)
    from billing.top_up_refund r where cause = 'ordered'
      and not exists (select from billing.balance_refund_part p where p.part_id = r.refund_id)
    union all
    select format('order %s: no part of a balance’s refund is it', attempt_id) from billing.processor_attempt a
    where of_top_up and kind = 'refund' and not exists (select from billing.balance_refund_part p where p.part_id = a.subject_id)`,
  'each refund of a balance is the sum of its parts': `
    select format('refund %s of the balance of %s, of %s cents: parts %s', r.refund_id, r.account_id, r.amount_cents,
      coalesce(sum(p.amount_cents), 0))
    from billing.balance_refund r left join billing.balance_refund_part p using (refund_id)
    left join billing.top_up t using (top_up_id)
    group by r.refund_id having r.amount_cents <> coalesce(sum(p.amount_cents), 0)
      or bool_or((p.account_id, t.account_id, p.created_at) is distinct from (r.account_id, r.account_id, r.created_at))`,
};
