-- Forecasts of what accounts spend, and warnings of it.

-- Published to billing: what an account may spend in a window.
create view gate.budget_v1 with (security_invoker = true) as
select account_id, amount_micros, window_kind from gate.budget where amount_micros is not null;
create policy owners_read on gate.budget for select to billing_api
  using (account_id = (select auth.current_account_id()));
grant select (account_id, amount_micros, window_kind) on gate.budget to billing_worker, billing_api;
grant select on gate.budget_v1 to billing_worker, billing_api;

-- Until which hour accounts that made calls are marked. One row.
create table billing.spending_marks (
  only_row     boolean     primary key default true check (only_row),
  marked_until timestamptz not null
);

-- An account is looked at where calls were counted since it was looked at last.
create table billing.spending_watch (
  account_id   uuid        primary key,
  used_until   timestamptz not null, -- the end of the last hour in which it made calls
  looked_until timestamptz not null
) with (fillfactor = 70);
create index spending_to_look_at on billing.spending_watch (account_id) where looked_until < used_until;

-- A month is expected to spend more than its budget. The key is the home of "once": whoever sees it again writes nothing.
create table billing.forecast_alert (
  account_id      uuid        not null,
  period          text        not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  budget_micros   bigint      not null check (budget_micros > 0),
  through         timestamptz not null,
  spent_micros    bigint      not null,
  expected_micros bigint      not null,
  low_micros      bigint      not null,
  high_micros     bigint      not null,
  budget_ends_on  date        not null,
  history_days    integer     not null,
  raised_at       timestamptz not null,
  primary key (account_id, period, budget_micros)
);

-- A pass, a tool or an account that spends far more than usual, and until when it did last. While that goes on, it is told no more.
create table billing.spending_episode (
  account_id uuid        not null,
  scope      text        not null check (scope in ('pass', 'tool', 'account')),
  scope_id   text        not null,
  last_at    timestamptz not null,
  primary key (account_id, scope, scope_id)
);

create table billing.anomaly_alert (
  alert_id     uuid        primary key default gen_random_uuid(),
  account_id   uuid        not null,
  scope        text        not null,
  scope_id     text        not null,
  window_kind  text        not null check (window_kind in ('hour', 'day')),
  from_at      timestamptz not null,
  to_at        timestamptz not null,
  day          date        not null, -- in which the window ended
  spent_micros bigint      not null,
  usual_micros bigint      not null,
  raised_at    timestamptz not null,
  constraint told_once_a_day unique (account_id, day)
);

create function billing.tell_of_forecast() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell('spending.forecast_exceeds_budget', new.account_id, jsonb_build_object(
    'account_id', new.account_id, 'period', new.period, 'through', notify.shown_time(new.through),
    'spent_usd', notify.shown_micros(new.spent_micros), 'estimated_usd', notify.shown_micros(new.expected_micros),
    'estimated_low_usd', notify.shown_micros(new.low_micros), 'estimated_high_usd', notify.shown_micros(new.high_micros),
    'budget_usd', notify.shown_micros(new.budget_micros), 'budget_ends_on', new.budget_ends_on,
    'history_days', new.history_days));
  return null;
end
$$;
create constraint trigger tell_of_forecast after insert on billing.forecast_alert
  deferrable initially deferred for each row execute function billing.tell_of_forecast();

create function billing.tell_of_anomaly() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell('spending.anomaly', new.account_id, jsonb_build_object(
    'id', new.alert_id, 'account_id', new.account_id, 'scope', new.scope, 'scope_id', new.scope_id,
    'window', new.window_kind, 'from', notify.shown_time(new.from_at), 'to', notify.shown_time(new.to_at),
    'spent_usd', notify.shown_micros(new.spent_micros), 'usual_usd', notify.shown_micros(new.usual_micros),
    'raised_at', notify.shown_time(new.raised_at)));
  return null;
end
$$;
create constraint trigger tell_of_anomaly after insert on billing.anomaly_alert
  deferrable initially deferred for each row execute function billing.tell_of_anomaly();
revoke all on function billing.tell_of_forecast(), billing.tell_of_anomaly() from public;

do $$
declare
  t text;
begin
  foreach t in array array['spending_marks', 'spending_watch', 'forecast_alert', 'spending_episode', 'anomaly_alert'] loop
    execute format('alter table billing.%I enable row level security', t);
    execute format('create policy workers on billing.%I to billing_worker using (true) with check (true)', t);
  end loop;
end
$$;
grant select, insert, update on billing.spending_marks, billing.spending_watch, billing.spending_episode to billing_worker;
grant select, insert on billing.forecast_alert, billing.anomaly_alert to billing_worker;
