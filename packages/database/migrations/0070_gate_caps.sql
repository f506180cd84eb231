-- The gate: which calls may go through, and whose money is held for them. Written by the gateway alone.
create schema if not exists gate;
grant usage on schema gate to ingest_gateway_api, ingest_gateway_worker, billing_api, billing_worker;

-- What an account may spend in a window. A row without an amount is history: gateways follow by changed_seq.
create sequence gate.budget_seq as bigint;
create table gate.budget (
  account_id    uuid        primary key,
  amount_micros bigint      check (amount_micros > 0),
  window_kind   text        not null check (window_kind in ('day', 'month')),
  alerts        smallint[]  not null,
  changed_at    timestamptz not null,
  changed_seq   bigint      not null default nextval('gate.budget_seq')
);
create index budget_changed on gate.budget (changed_seq);

create function gate.announce_budget() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  perform pg_notify('budgets_changed', '');
  return null;
end
$$;
create trigger announce_change after insert or update on gate.budget
  for each statement execute function gate.announce_budget();

-- One row per capped account or pass, and window. Its row lock decides between gateways: whoever raises held_micros holds
-- the lock and has seen spent + held <= cap.
create table gate.cap_state (
  cap_id       bigint      generated always as identity primary key,
  scope        text        not null check (scope in ('account', 'pass')),
  owner_id     uuid        not null, -- the account or the pass
  account_id   uuid        not null, -- who pays
  window_start timestamptz not null,
  window_end   timestamptz not null check (window_end > window_start),
  cap_micros   bigint      not null,
  spent_micros bigint      not null,
  held_micros  bigint      not null check (held_micros >= 0),
  alerts       smallint[]  not null,
  unique (scope, owner_id, window_start, window_end)
) with (fillfactor = 50);
create index cap_state_of_account on gate.cap_state (account_id, window_end);

-- An authorization, or an event that was authorized and captured in one.
--
--   open ──▶ captured ──▶ settled    its event is counted, and its money is in spent_micros
--     │          └──────▶ expired    no event of it can come any more
--     ├──▶ released
--     └──▶ expired
create table gate.hold (
  hold_id        uuid        primary key, -- the authorization's id, else the event's
  account_id     uuid        not null,    -- who pays
  asker_id       uuid        not null,    -- who may capture it
  pass_id        uuid,
  tool_id        text        not null,
  price_id       uuid        not null,
  event_id       uuid        not null,
  max            jsonb       not null,    -- what the event may have at most
  micros         bigint      not null check (micros >= 0),
  cap_ids        bigint[]    not null,    -- the rows of gate.cap_state that hold it
  state          text        not null check (state in ('open', 'captured', 'settled', 'released', 'expired')),
  body_hash      bytea,
  asked_at       timestamptz not null,
  expires_at     timestamptz not null,
  occurred_at    timestamptz,             -- of its event, once it is counted
  charged_micros bigint
) with (fillfactor = 70);
create index hold_live on gate.hold (account_id, expires_at) where state in ('open', 'captured');
create index hold_ended on gate.hold (expires_at) where state not in ('open', 'captured');

-- Two settlers of one account: the second to write finds another number than it read, and writes nothing.
create table gate.settlement (
  account_id uuid   primary key,
  seq        bigint not null
) with (fillfactor = 50);

-- What the invoice's rating said of a month when the account was settled last.
create table gate.settled_month (
  account_id   uuid   not null,
  period       text   not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  spent_micros bigint not null,
  primary key (account_id, period)
) with (fillfactor = 50);

-- A part of a cap is spent: once per cap, window and part.
create table gate.spending_alert (
  alert_id     uuid        primary key default gen_random_uuid(),
  account_id   uuid        not null,
  scope        text        not null,
  owner_id     uuid        not null,
  window_start timestamptz not null,
  percent      smallint    not null,
  cap_micros   bigint      not null,
  spent_micros bigint      not null,
  raised_at    timestamptz not null,
  unique (scope, owner_id, window_start, percent)
);
create index spending_alert_listed on gate.spending_alert (raised_at desc, alert_id desc);
create index spending_alert_of_account on gate.spending_alert (account_id, raised_at desc, alert_id desc);

do $$
declare
  t text;
begin
  foreach t in array array['budget', 'cap_state', 'hold', 'settlement', 'settled_month', 'spending_alert'] loop
    execute format('alter table gate.%I enable row level security', t);
    execute format('create policy workers on gate.%I to ingest_gateway_worker, billing_worker using (true) with check (true)', t);
  end loop;
end
$$;
grant select, insert, update, delete on gate.budget, gate.cap_state, gate.hold, gate.settlement, gate.settled_month
  to ingest_gateway_worker;
grant select, insert on gate.spending_alert to ingest_gateway_worker;
grant usage on sequence gate.budget_seq to ingest_gateway_worker;

-- What reconcile compares with the rated events.
create view gate.cap_state_v1 with (security_invoker = true) as
select scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros from gate.cap_state;
grant select on gate.cap_state, gate.cap_state_v1 to billing_worker;

-- The gateway settles by the invoice's own rating of the rollups.
grant select on usage.rollup, usage.rollup_measure, usage.rollup_v1, usage.rollup_measure_v1 to ingest_gateway_worker;
