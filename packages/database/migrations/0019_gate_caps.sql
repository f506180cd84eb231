-- The gate: which calls may go through, and whose money is held for them. Written by the gateway alone.

-- A budget: what an account may spend in a window. A row without an amount is history: gateways follow by changed_seq.
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
-- the lock and has seen spent + held <= cap. The row of a balance is different: what an account may spend of it is decided by
-- what its balance and its invoices are at that moment, so its cap_micros are not read. Its spent_micros are all charges of the
-- account, of all months: an invoice changes nothing of them.
create table gate.cap_state (
  cap_id        bigint      generated always as identity primary key,
  scope         text        not null check (scope in ('account', 'pass', 'balance')),
  owner_id      uuid        not null, -- the account or the pass
  account_id    uuid        not null, -- the account that pays
  window_start  timestamptz not null,
  window_end    timestamptz not null check (window_end > window_start),
  cap_micros    bigint      not null,
  spent_micros  bigint      not null,
  held_micros   bigint      not null check (held_micros >= 0),
  alerts        smallint[]  not null,
  -- For reconcile: the part of spent_micros that no settled hold accounts for. That is what was spent of the window before
  -- this row was made, and what was counted without a hold.
  unheld_micros bigint      not null,
  settled_seq   bigint      not null default 0,
  unique (scope, owner_id, window_start, window_end)
) with (fillfactor = 50);
create index cap_state_of_account on gate.cap_state (account_id, window_end);

-- No hold brings a cap above its amount, whatever a gateway has decided. Only updates that raise what is held are refused: a
-- settlement moves money from held to spent, also above a cap that was lowered since, and a new row has what was on its way.
-- A settlement may raise what is held: calls that were counted without a hold move a line. The bound of a balance is read at the
-- decision, not stored, so its rows are left out. A pass goes beyond its cap by what its owner approved and this transaction uses,
-- counted from the cap, or from where an earlier approval or a lowered cap left it.
create function gate.refuse_hold_above_cap() returns trigger
language plpgsql set search_path = pg_catalog
as $$
declare
  approved bigint := 0;
begin
  if new.scope = 'pass' then
    select coalesce(sum(a.beyond_micros), 0) into approved from gate.approval a
    where a.pass_id = new.owner_id and a.state = 'used' and a.used_in = pg_current_xact_id();
  end if;
  if new.spent_micros + new.held_micros - approved <= greatest(new.cap_micros, old.spent_micros + old.held_micros) and approved > 0 then
    return new;
  end if;
  raise exception 'cap % of % has spent %, and cannot hold %', new.cap_id, new.cap_micros, new.spent_micros, new.held_micros
    using errcode = 'check_violation';
end
$$;
create trigger refuse_hold_above_cap before update on gate.cap_state for each row
  when (new.held_micros > old.held_micros and new.spent_micros + new.held_micros > new.cap_micros and new.scope <> 'balance'
    and new.settled_seq = old.settled_seq)
  execute function gate.refuse_hold_above_cap();

-- Two settlers of one account: the second to write finds another number than it read, and writes nothing.
create table gate.settlement (
  account_id uuid   primary key,
  seq        bigint not null,
  -- Since when gateways have registered all calls of the account: since it got the first of the caps that it has.
  capped_since timestamptz
) with (fillfactor = 50);

-- The invoice's rating of a month, as it was when the account was settled last.
create table gate.settled_month (
  account_id   uuid   not null,
  period       text   not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  spent_micros bigint not null,
  primary key (account_id, period)
) with (fillfactor = 50);

-- A part of a cap is spent: an alert is raised once per cap, window and part. A day and a month may begin at one moment. A budget that changes
-- on the 1st from the one to the other tells of both.
create table gate.spending_alert (
  alert_id     uuid        primary key default gen_random_uuid(),
  account_id   uuid        not null,
  scope        text        not null,
  owner_id     uuid        not null,
  window_start timestamptz not null,
  window_end   timestamptz not null,
  percent      smallint    not null,
  cap_micros   bigint      not null,
  spent_micros bigint      not null,
  raised_at    timestamptz not null,
  constraint raised_once_per_window unique (scope, owner_id, window_start, window_end, percent)
);
create index spending_alert_listed on gate.spending_alert (raised_at desc, alert_id desc);
create index spending_alert_of_account on gate.spending_alert (account_id, raised_at desc, alert_id desc);

-- For a refund of a balance: what the gate has spent and holds of it. The row is locked until the refund is stored, and a
-- settlement that would make it waits, so no call is authorized on money that is on its way back to a card. No row: the gate
-- does not bound the account by its balance.
create function gate.lock_balance_cap(account uuid) returns table (spent_micros bigint, held_micros bigint)
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  insert into gate.settlement as s (account_id, seq) values (account, 1)
    on conflict (account_id) do update set seq = s.seq + 1;
  return query select c.spent_micros, c.held_micros from gate.cap_state c
    where c.scope = 'balance' and c.owner_id = account for update;
end
$$;
revoke all on function gate.lock_balance_cap(uuid) from public;
grant execute on function gate.lock_balance_cap(uuid) to billing_worker;

do $$
declare
  t text;
begin
  foreach t in array array['budget', 'cap_state', 'settlement', 'settled_month', 'spending_alert'] loop
    execute format('alter table gate.%I enable row level security', t);
    execute format('create policy workers on gate.%I to ingest_gateway_worker, billing_worker using (true) with check (true)', t);
  end loop;
end
$$;
-- A pass and the rows of its cap change in one transaction. It takes the number of the next settlement, so a settler that read
-- the pass before writes nothing.
create policy own_rows on gate.cap_state to ingest_gateway_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
create policy own_rows on gate.settlement to ingest_gateway_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
create policy owners_read on gate.cap_state for select to billing_api
  using (account_id = (select auth.current_account_id()));

-- Reconcile compares these with the rated events.
create view gate.cap_state_v1 with (security_invoker = true) as
select scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros, cap_id, unheld_micros
from gate.cap_state;

grant select, insert, update, delete on gate.budget, gate.cap_state, gate.settlement, gate.settled_month to ingest_gateway_worker;
grant select, insert on gate.spending_alert to ingest_gateway_worker;
grant usage on sequence gate.budget_seq to ingest_gateway_worker;
grant select, update, delete on gate.cap_state to ingest_gateway_api;
grant select, insert, update on gate.settlement to ingest_gateway_api;
grant select on gate.cap_state, gate.cap_state_v1 to billing_worker, billing_api;
