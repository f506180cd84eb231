-- The money that an account can spend of its balance, and the alerts when that runs low.

-- How far the balance of an account may be exceeded, as the operator set it. A row without a limit is history: gateways follow
-- by changed_seq. The gate bounds what is spent from a balance: of accounts with a credit limit, and with
-- CONSUMER_CREDIT=prepaid of all.
create sequence billing.credit_limit_seq as bigint;
create table billing.credit_limit (
  account_id  uuid           primary key,
  limit_cents billing.micros check (limit_cents >= 0),
  changed_at  timestamptz    not null,
  since       timestamptz, -- the account has had a limit from then on; null: it has none
  changed_seq bigint         not null default nextval('billing.credit_limit_seq'),
  constraint since_it_has_a_limit check ((limit_cents is null) = (since is null))
);
create index credit_limit_changed on billing.credit_limit (changed_seq);

create function billing.follow_credit_limit() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  new.changed_seq := nextval('billing.credit_limit_seq');
  new.since := case
    when new.limit_cents is null then null
    when tg_op = 'UPDATE' and old.limit_cents is not null then old.since
    else new.changed_at
  end;
  return new;
end
$$;
create trigger follow_change before insert or update on billing.credit_limit
  for each row execute function billing.follow_credit_limit();

create function billing.announce_credit_limit() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  perform pg_notify('credit_limits_changed', '');
  return null;
end
$$;
create trigger announce_change after insert or update on billing.credit_limit
  for each statement execute function billing.announce_credit_limit();

create view billing.credit_limit_v1 as select account_id, since, changed_seq from billing.credit_limit;

-- The gate must know this of the money of accounts: one row per account that it asks for, also for an unknown one.
--   balance_micros       what an invoice could take at this time: no credit that has expired, no disputed top-up
--   owed_micros          what invoices bill and nothing has paid yet, and what the last one carries to the next
--   billed_micros        what all invoices have billed
--   credit_limit_micros  null: the operator set none
--   is_past_due          an invoice is past due or uncollectible
--   has_payment_method   a card is on file
-- Spending power = balance - owed + credit limit - what no invoice has billed yet - what is held. An invoice moves money from
-- the last but one to owed in the transaction that stores it, so in one snapshot no charge is counted twice or left out.
--
-- `untils` has a time for each account until which its money must last: the end of what is held. A grant that ends before
-- counts with what calls were already laid on it, and one that begins later with nothing. A grant pays for whole hours.
create function billing.spending_power_v1(accounts uuid[], at timestamptz, untils timestamptz[])
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

-- An account sees what it can spend of its balance: by the function and the row that decide about its calls.
create function billing.own_spending_power_v1(at timestamptz)
returns table (balance_micros numeric, owed_micros numeric, billed_micros numeric, credit_limit_micros numeric)
language sql stable security definer set search_path = pg_catalog
as $$
  select p.balance_micros, p.owed_micros, p.billed_micros, p.credit_limit_micros
  from billing.spending_power_v1(array[auth.current_account_id()], at, array[at]) p
$$;

-- An account gets an alert when the spendable part of its balance falls below a threshold: once, and again after it was not below it.
create table billing.balance_threshold (
  account_id  uuid           not null,
  below_cents billing.micros not null check (below_cents > 0),
  armed_at    timestamptz    not null, -- set then, or found to be reached again after the last alert
  primary key (account_id, below_cents)
);
create table billing.balance_threshold_alert (
  alert_id     uuid           primary key default gen_random_uuid(),
  account_id   uuid           not null,
  below_cents  billing.micros not null,
  armed_at     timestamptz    not null,
  cap_micros   numeric        not null, -- the balance less what was owed, and the credit limit
  spent_micros numeric        not null, -- the sum of calls that no invoice had billed
  raised_at    timestamptz    not null,
  constraint a_threshold_is_crossed_once unique (account_id, below_cents, armed_at)
);
create index balance_threshold_alert_of_account on billing.balance_threshold_alert (account_id, raised_at desc, alert_id desc);
create index balance_threshold_alert_listed on billing.balance_threshold_alert (raised_at desc, alert_id desc);
create trigger append_only before update or delete or truncate on billing.balance_threshold_alert
  for each statement execute function billing.refuse_change();

-- Compares the thresholds of an account with what can be spent of its balance. Held money counts as not spent, as with budgets.
-- `unbilled` is what calls came to that no invoice has billed, where the gate has no row of the balance; null: not known, and
-- nothing is compared then. Returns the number of new alerts, or null if nothing was compared.
--
-- The thresholds are locked first. So whoever comes second sees what the first one saw, or later: a read from before an alert
-- cannot arm its threshold again. They are locked after the row of the gate, and no other row is locked after them.
create function billing.raise_balance_alerts(account uuid, unbilled numeric, at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  power record;
  bound numeric; -- the spendable amount without unbilled calls
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
  into strict power from billing.spending_power_v1(array[account], at, array[at]) p;
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

-- The gateway lists all alerts of an account. Without money to spend, all of it is spent.
create view billing.balance_threshold_alert_v1 as
select alert_id, account_id, below_cents * 10000 as below_micros, armed_at as window_start, cap_micros, spent_micros, raised_at,
  case when cap_micros > 0 then greatest(0, least(100, div(spent_micros * 100, cap_micros))) else 100 end::smallint as percent
from billing.balance_threshold_alert;

alter table billing.credit_limit enable row level security;
alter table billing.balance_threshold enable row level security;
alter table billing.balance_threshold_alert enable row level security;
create policy worker_sets on billing.credit_limit to billing_worker using (true) with check (true);
create policy owners_read on billing.credit_limit for select to billing_api
  using (account_id = (select auth.current_account_id()));
create policy worker_looks on billing.balance_threshold for select to billing_worker using (true);
create policy own_thresholds on billing.balance_threshold to billing_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));

revoke all on function billing.spending_power_v1(uuid[], timestamptz, timestamptz[]),
  billing.own_spending_power_v1(timestamptz), billing.raise_balance_alerts(uuid, numeric, timestamptz) from public;
grant usage on sequence billing.credit_limit_seq to billing_worker;
grant select, insert, update, delete on billing.credit_limit to billing_worker;
grant select on billing.credit_limit to billing_api;
grant select on billing.credit_limit_v1 to ingest_gateway_worker;
grant execute on function billing.spending_power_v1(uuid[], timestamptz, timestamptz[]) to ingest_gateway_worker, billing_worker;
grant execute on function billing.own_spending_power_v1(timestamptz) to billing_api, billing_worker;
grant execute on function billing.raise_balance_alerts(uuid, numeric, timestamptz) to ingest_gateway_worker, billing_worker;
grant select on billing.balance_threshold_alert_v1 to ingest_gateway_worker;
grant select on billing.balance_threshold to billing_worker;
grant select, insert, delete on billing.balance_threshold to billing_api;
