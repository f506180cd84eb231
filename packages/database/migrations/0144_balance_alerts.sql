-- An account is told when what can be spent of its balance falls below a threshold: once, and again after it was not below it.
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
  spent_micros numeric        not null, -- what calls came to that no invoice had billed
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
  into strict power from billing.spending_power_v2(array[account], at) p;
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
revoke all on function billing.raise_balance_alerts(uuid, numeric, timestamptz) from public;
grant execute on function billing.raise_balance_alerts(uuid, numeric, timestamptz) to ingest_gateway_worker, billing_worker;

-- The gateway lists all alerts of an account. Without money to spend, all of it is spent.
create view billing.balance_threshold_alert_v1 as
select alert_id, account_id, below_cents * 10000 as below_micros, armed_at as window_start, cap_micros, spent_micros, raised_at,
  case when cap_micros > 0 then greatest(0, least(100, div(spent_micros * 100, cap_micros))) else 100 end::smallint as percent
from billing.balance_threshold_alert;
grant select on billing.balance_threshold_alert_v1 to ingest_gateway_worker;

alter table billing.balance_threshold enable row level security;
alter table billing.balance_threshold_alert enable row level security;
create policy worker_looks on billing.balance_threshold for select to billing_worker using (true);
create policy own_thresholds on billing.balance_threshold to billing_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
grant select on billing.balance_threshold to billing_worker;
grant select, insert, delete on billing.balance_threshold to billing_api;
