-- An account lets its balance be topped up by itself, up to an amount per month.
create table billing.auto_top_up (
  account_id        uuid           primary key,
  below_cents       billing.micros not null check (below_cents > 0),
  amount_cents      billing.micros not null check (amount_cents between 100 and 1000000),
  monthly_max_cents billing.micros not null,
  failures          integer        not null default 0 check (failures >= 0), -- in a row
  failure_code      text, -- of the last one
  retry_at          timestamptz, -- not before, after a failure
  changed_at        timestamptz    not null,
  check (monthly_max_cents >= amount_cents)
);

-- What was topped up by itself in a month, in UTC. It outlives the setting, so whoever sets it anew begins no new month.
create table billing.auto_top_up_month (
  account_id    uuid           not null,
  period        text           not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  ordered_cents billing.micros not null,
  max_cents     billing.micros not null,
  primary key (account_id, period),
  constraint auto_top_up_is_within_its_month check (ordered_cents between 0 and max_cents)
);

alter table billing.top_up add column is_automatic boolean not null default false;
-- One at a time, whose outcome decides what comes next.
create unique index auto_top_up_pending on billing.top_up (account_id) where is_automatic and status = 'pending';

-- A failed one gives its part of the month back. If its charge succeeds after all, the money has come, whatever the bound.
create function billing.count_auto_top_up() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  of_period text := to_char(new.created_at at time zone 'UTC', 'YYYY-MM');
begin
  if tg_op = 'INSERT' then
    insert into billing.auto_top_up_month (account_id, period, ordered_cents, max_cents)
    select new.account_id, of_period, new.amount_cents, coalesce(
      (select a.monthly_max_cents from billing.auto_top_up a where a.account_id = new.account_id), 0)
    on conflict (account_id, period) do update
    set ordered_cents = billing.auto_top_up_month.ordered_cents + excluded.ordered_cents, max_cents = excluded.max_cents;
  elsif new.status = 'failed' and old.status = 'pending' then
    update billing.auto_top_up_month set ordered_cents = ordered_cents - new.amount_cents
    where account_id = new.account_id and period = of_period;
  elsif new.status = 'succeeded' and old.status = 'failed' then
    update billing.auto_top_up_month set ordered_cents = ordered_cents + new.amount_cents,
      max_cents = greatest(max_cents, ordered_cents + new.amount_cents)
    where account_id = new.account_id and period = of_period;
  end if;
  return null;
end
$$;
revoke all on function billing.count_auto_top_up() from public;
create trigger count_automatic after insert or update of status on billing.top_up
  for each row when (new.is_automatic) execute function billing.count_auto_top_up();

-- What an account must hear of its automatic top-ups: one failed, or the month has no room for another.
create table billing.balance_alert (
  alert_id     uuid           primary key default gen_random_uuid(),
  type         text           not null check (type in ('auto_top_up.failed', 'auto_top_up.limit_reached')),
  account_id   uuid           not null,
  period       text           not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  place        integer        not null, -- the failure in its row, or 0
  failure_code text,
  cap_cents    billing.micros not null,
  spent_cents  billing.micros not null,
  raised_at    timestamptz    not null
);
create unique index balance_alert_of_limit on billing.balance_alert (account_id, period)
  where type = 'auto_top_up.limit_reached';
create index balance_alert_of_account on billing.balance_alert (account_id, raised_at desc, alert_id desc);
create index balance_alert_listed on billing.balance_alert (raised_at desc, alert_id desc);
create trigger append_only before update or delete or truncate on billing.balance_alert
  for each statement execute function billing.refuse_change();

-- The gateway lists all alerts of an account.
create view billing.balance_alert_v1 as
select alert_id, type, account_id, (period || '-01')::timestamp at time zone 'UTC' as window_start, failure_code,
  cap_cents * 10000 as cap_micros, spent_cents * 10000 as spent_micros, raised_at
from billing.balance_alert;
grant select on billing.balance_alert_v1 to ingest_gateway_worker;

alter table billing.auto_top_up enable row level security;
alter table billing.auto_top_up_month enable row level security;
alter table billing.balance_alert enable row level security;
create policy worker_settles on billing.auto_top_up to billing_worker using (true) with check (true);
create policy worker_settles on billing.auto_top_up_month to billing_worker using (true) with check (true);
create policy worker_settles on billing.balance_alert to billing_worker using (true) with check (true);
create policy own_setting on billing.auto_top_up to billing_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
create policy owners_read on billing.auto_top_up_month for select to billing_api
  using (account_id = (select auth.current_account_id()));
grant select, update (failures, failure_code, retry_at) on billing.auto_top_up to billing_worker;
grant select, delete, insert, update on billing.auto_top_up to billing_api;
grant select on billing.auto_top_up_month to billing_worker, billing_api;
grant select, insert on billing.balance_alert to billing_worker;
grant insert (is_automatic) on billing.top_up to billing_worker;
