-- As v2, with a time for each account until which its money must last: the end of what is held. A grant that ends before
-- counts with what calls were already laid on it, and one that begins later with nothing. A grant pays for whole hours.
create function billing.spending_power_v3(accounts uuid[], at timestamptz, untils timestamptz[])
returns table (
  consumer_id uuid, balance_micros numeric, owed_micros numeric, billed_micros numeric, credit_limit_micros numeric,
  is_past_due boolean, has_payment_method boolean
)
language sql stable security definer set search_path = pg_catalog
as $$
  select a.account_id,
    (select coalesce(sum(case
        when c.top_up_id is null and c.ends_at <= date_trunc('hour', a.until, 'UTC') then least(c.left_cents, c.reserved_cents)
        else c.left_cents end), 0) * 10000
      from billing.balance_credit c
      where c.account_id = a.account_id and c.left_cents > 0 and date_trunc('hour', c.effective_from, 'UTC') <= at
        and not exists (select from billing.dispute d where d.top_up_id = c.top_up_id and d.status = 'open')),
    coalesce(i.unpaid_cents, 0) * 10000 + coalesce(last.carried_out_micros, 0),
    coalesce(i.charge_micros, 0),
    (select l.limit_cents * 10000 from billing.credit_limit l where l.account_id = a.account_id),
    coalesce(i.is_past_due, false),
    exists (select from billing.processor_customer p where p.account_id = a.account_id and p.payment_method_id is not null)
  from unnest(accounts, untils) as a (account_id, until)
  cross join lateral (
    select sum(o.charge_micros) as charge_micros,
      sum(o.total_cents - o.part_paid_cents - (select coalesce(-sum(m.amount_cents), 0) from billing.balance_move m
        where m.invoice_id = o.invoice_id and m.business_key not like 'refund:%'))
        filter (where o.status in ('open', 'past_due', 'uncollectible')) as unpaid_cents,
      bool_or(o.status in ('past_due', 'uncollectible')) as is_past_due
    from billing.invoice o where o.consumer_id = a.account_id
  ) i
  left join lateral (
    select l.carried_out_micros from billing.invoice l where l.consumer_id = a.account_id order by l.period desc limit 1
  ) last on true
$$;
revoke all on function billing.spending_power_v3(uuid[], timestamptz, timestamptz[]) from public;
grant execute on function billing.spending_power_v3(uuid[], timestamptz, timestamptz[]) to ingest_gateway_worker, billing_worker;

-- The same functions as before, by v3.
create or replace function billing.own_spending_power_v1(at timestamptz)
returns table (balance_micros numeric, owed_micros numeric, billed_micros numeric, credit_limit_micros numeric)
language sql stable security definer set search_path = pg_catalog
as $$
  select p.balance_micros, p.owed_micros, p.billed_micros, p.credit_limit_micros
  from billing.spending_power_v3(array[auth.current_account_id()], at, array[at]) p
$$;

create or replace function billing.raise_balance_alerts(account uuid, unbilled numeric, at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  power record;
  bound numeric; -- what could be spent, were it not for unbilled calls
  spent numeric := unbilled;
  raised integer;
begin
  perform from billing.balance_threshold t where t.account_id = account order by t.below_cents for update;
  if not found then
    return 0;
  end if;
  select p.balance_micros - p.owed_micros + coalesce(p.credit_limit_micros, 0) as bound, p.billed_micros,
    (select c.spent_micros from gate.cap_state c where c.scope = 'balance' and c.owner_id = account and c.window_start in (
      'epoch', (select l.since from billing.credit_limit l where l.account_id = account))) as charged
  into strict power from billing.spending_power_v3(array[account], at, array[at]) p;
  bound := power.bound;
  spent := coalesce(power.charged - power.billed_micros, unbilled);
  if spent is null then
    return null;
  end if;
  update billing.balance_threshold t set armed_at = greatest(at, t.armed_at + interval '1 ms')
  where t.account_id = account and bound - spent >= t.below_cents * 10000 and exists (
    select from billing.balance_threshold_alert r
    where r.account_id = account and r.below_cents = t.below_cents and r.armed_at = t.armed_at);
  insert into billing.balance_threshold_alert (account_id, below_cents, armed_at, cap_micros, spent_micros, raised_at)
  select t.account_id, t.below_cents, t.armed_at, bound, spent, at from billing.balance_threshold t
  where t.account_id = account and bound - spent < t.below_cents * 10000
  on conflict on constraint a_threshold_is_crossed_once do nothing;
  get diagnostics raised = row_count;
  return raised;
end
$$;
drop function billing.spending_power_v2(uuid[], timestamptz);
