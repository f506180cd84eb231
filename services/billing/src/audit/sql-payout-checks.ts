/** The rules of payouts. Each has the statement that selects the rows that break it, one text per row. */
export const payoutChecks: Readonly<Record<string, string>> = {
  'the ledger agrees with the status and transfers of each payout': `
    with posted as (
      select split_part(t.business_key, ':', 2) as payout_id,
        coalesce(sum(e.amount_micros) filter (where a.kind = 'in_transit'), 0) as in_transit,
        coalesce(sum(e.amount_micros) filter (where a.kind = 'cash'), 0) as cash,
        coalesce(sum(e.amount_micros) filter (where a.kind = 'builder_payable'), 0) as payable,
        count(distinct a.owner_id) as owners, min(a.owner_id::text) as owner
      from billing.ledger_transaction t join billing.ledger_entry e using (transaction_id)
      join billing.ledger_account a using (ledger_account_id)
      where t.business_key like 'payout:%' group by 1
    ), expected as (
      select p.payout_id::text, p.builder_id::text, p.status, t.standing,
        case when p.status = 'scheduled' then -p.net_cents * 10000 else 0 end as in_transit, (r.cents - t.cents) * 10000 as cash
      from billing.payout p cross join lateral (
        select count(*) as standing, coalesce(sum(amount_cents), 0) as cents from billing.processor_attempt
        where kind = 'transfer' and subject_id = p.payout_id and status = 'succeeded'
      ) t cross join lateral (
        select coalesce(sum(r.amount_cents), 0) as cents from billing.transfer_return r
        join billing.processor_attempt a using (attempt_id) where a.kind = 'transfer' and a.subject_id = p.payout_id
      ) r
    )
    select format('payout %s is %s with %s transfers: in transit %s, cash %s, payable %s',
      coalesce(e.payout_id, p.payout_id), e.status, e.standing, p.in_transit, p.cash, p.payable)
    from expected e full join posted p using (payout_id)
    where e.payout_id is null or p.payout_id is null or p.owners <> 1 or p.owner <> e.builder_id
      or p.in_transit <> e.in_transit or p.cash <> e.cash or (e.status = 'paid') <> (e.standing > 0)`,
  'no payout was transferred twice': `
    select format('payout %s has %s transfers that stand: %s', subject_id, count(*), string_agg(object_id, ', ' order by number))
    from billing.processor_attempt where kind = 'transfer' and status = 'succeeded'
    group by subject_id having count(*) > 1`,
  'each transfer belongs to a payout and has its amount': `
    select format('attempt %s of payout %s is of %s cents, the payout of %s', t.attempt_id, t.subject_id, t.amount_cents, p.net_cents)
    from billing.processor_attempt t left join billing.payout p on p.payout_id = t.subject_id
    where t.kind = 'transfer' and not coalesce(t.amount_cents = p.net_cents
      or t.status in ('failed', 'reversed') and t.amount_cents between p.net_cents and p.net_cents + p.held_cents, false)`,
  'each payout is the sum of its lines, returned transfers, shares in fees and the remainder before': `
    with settled as (
      select payout_id, builder_id, earning_micros, fee_micros from billing.released_line
      union all
      select payout_id, builder_id, -earning_micros, -fee_micros from billing.refunded_line
      union all
      select payout_id, builder_id, amount_cents * 10000, 0 from billing.transfer_return
      union all
      select payout_id, builder_id, -amount_micros, 0 from billing.processor_fee_share
    ), earned as (
      select payout_id, sum(earning_micros) as earning, sum(fee_micros) as fee, count(distinct builder_id) as builders
      from settled where payout_id is not null group by 1
    ), payout as (
      select *, coalesce(lag(earning_left_micros) over earlier, 0) as earning_in,
        coalesce(lag(fee_left_micros) over earlier, 0) as fee_in,
        10000 * coalesce(sum(held_cents) over (earlier rows between unbounded preceding and 1 preceding), 0) as held_before
      from billing.payout window earlier as (partition by builder_id order by period)
    ), summed as (
      select *, (net_cents + held_cents) * 10000 + earning_left_micros - coalesce(earning, 0) - earning_in as held_in
      from payout full join earned using (payout_id)
    ), offset_by as (
      select *, sum(held_in) over (partition by builder_id order by period) as all_held_in from summed
    )
    select format('payout %s: net %s + %s held + %s left, of %s + %s in; fee %s + %s left, of %s + %s in', payout_id, net_cents,
      held_cents, earning_left_micros, coalesce(earning, 0), earning_in, fee_cents, fee_left_micros, coalesce(fee, 0), fee_in)
    from offset_by
    where period is null or builders > 1
      -- The amount that earlier payouts held came into it in whole cents.
      or held_in < 0 or held_in % 10000 <> 0 or all_held_in > held_before
      or fee_cents * 10000 + fee_left_micros <> coalesce(fee, 0) + fee_in`,
  'each builder is owed its earnings that were not transferred': `
    with earned as (
      select builder_id, sum(micros) as micros from (
        select builder_id, earning_micros as micros from billing.released_line
        union all
        select builder_id, -earning_micros from billing.refunded_line
        union all
        select builder_id, amount_cents * 10000 from billing.transfer_return
        union all
        select builder_id, -amount_micros from billing.processor_fee_share
        union all
        select p.builder_id, -t.amount_cents * 10000 from billing.processor_attempt t
        join billing.payout p on p.payout_id = t.subject_id where t.kind = 'transfer' and t.status = 'succeeded'
      ) as moved group by 1
    ), owed as (
      select owner_id as builder_id, -sum(balance_micros) as micros from billing.ledger_account
      where kind in ('builder_payable', 'in_transit') group by 1
    )
    select format('builder %s: earned and not transferred %s, ledger %s', builder_id, coalesce(e.micros, 0), coalesce(o.micros, 0))
    from earned e full join owed o using (builder_id)
    where coalesce(e.micros, 0) <> coalesce(o.micros, 0)`,
  'the money in transit is that of scheduled payouts': `
    with scheduled as (
      select builder_id, sum(net_cents) * 10000 as micros from billing.payout where status = 'scheduled' group by 1
    ), moving as (
      select owner_id as builder_id, -balance_micros as micros from billing.ledger_account where kind = 'in_transit'
    )
    select format('builder %s: scheduled %s, in transit %s', builder_id, coalesce(s.micros, 0), coalesce(m.micros, 0))
    from scheduled s full join moving m using (builder_id)
    where coalesce(s.micros, 0) <> coalesce(m.micros, 0)`,
};
