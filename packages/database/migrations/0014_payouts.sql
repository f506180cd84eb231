-- Money that moves on to builders.

create table billing.payout (
  payout_id  uuid primary key,
  builder_id uuid not null,
  period     text not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  status     text not null check (status in ('scheduled', 'paid', 'failed')),
  net_cents  billing.micros not null check (net_cents > 0),
  fee_cents  billing.micros not null,
  -- Less than a cent each, which waits for the next one: earnings, and fees taken.
  earning_left_micros billing.micros not null check (earning_left_micros between 0 and 9999),
  fee_left_micros     billing.micros not null check (fee_left_micros between 0 and 9999),
  schedules  integer not null default 1 check (schedules > 0), -- how often it was scheduled: part of the ledger's keys
  failures   integer not null default 0, -- in a row, for the backoff
  due_at     timestamptz, -- when it is tried, or scheduled again; null once paid, or while it waits for a payout account
  created_at timestamptz not null,
  paid_at    timestamptz,
  held_cents bigint not null default 0 check (held_cents >= 0), -- the amount by which its net was lowered
  failing_since timestamptz, -- the first failure in this row of failures; null: none
  unique (builder_id, period),
  check ((status = 'paid') = (paid_at is not null)),
  check (status <> 'scheduled' or due_at is not null),
  check (status <> 'paid' or due_at is null)
);
create index payout_due on billing.payout (due_at) where due_at is not null;
create index payout_waiting_for_account on billing.payout (builder_id) where status = 'failed' and due_at is null;
create index payout_failing on billing.payout (failing_since) where status = 'failed';
-- The operator's lists over all accounts, newest first, and by one filter.
create index payout_by_time on billing.payout (created_at desc, payout_id desc);
create index payout_by_status on billing.payout (status, created_at desc, payout_id desc);

-- A failed payout of which refunds took a part is tried again with the rest. So its net may be lowered, but only while no
-- transfer of it stands or has an unknown outcome: otherwise the builder could be paid twice.
create function billing.guard_payout_net() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if new.net_cents = old.net_cents and new.held_cents = old.held_cents then
    return new;
  end if;
  if new.net_cents > old.net_cents or new.net_cents + new.held_cents <> old.net_cents + old.held_cents then
    raise exception 'the net of payout % is only lowered, by what it holds back', old.payout_id using errcode = 'check_violation';
  end if;
  if old.status <> 'failed' or exists (
    select from billing.processor_attempt
    where kind = 'transfer' and subject_id = old.payout_id and status in ('unknown', 'succeeded')
  ) then
    raise exception 'payout % may be on its way: its net stays', old.payout_id using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_net before update on billing.payout
  for each row execute function billing.guard_payout_net();

-- Periods whose payout day has been worked off, in order, each once.
create table billing.payout_day (
  period  text primary key check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  done_at timestamptz not null
);

-- A part of a transfer that came back. It is owed to the builder again. Below zero where the rest came back later: then the
-- whole transfer counts as reversed, and its parts no more.
create table billing.transfer_return (
  attempt_id   uuid        not null,
  place        integer     not null check (place > 0),
  builder_id   uuid        not null,
  amount_cents billing.micros not null check (amount_cents <> 0),
  returned_at  timestamptz not null,
  payout_id    uuid, -- the payout that took it; null: none yet
  primary key (attempt_id, place)
);
create index transfer_return_of_payout on billing.transfer_return (payout_id) where payout_id is not null;
create index transfer_return_not_paid_out on billing.transfer_return (builder_id) where payout_id is null;

-- The part of the processor's fee on a charge that a builder bears, with PROCESSOR_FEE_BEARER=builder. It is taken from what is
-- payable to it, once, when the charge pays its invoice.
create table billing.processor_fee_share (
  attempt_id    uuid           not null, -- the charge
  builder_id    uuid           not null,
  amount_micros billing.micros not null check (amount_micros > 0),
  shared_at     timestamptz    not null,
  payout_id     uuid, -- the payout that it lowered; null: none yet
  primary key (attempt_id, builder_id)
);
create index processor_fee_share_of_payout on billing.processor_fee_share (payout_id) where payout_id is not null;
create index processor_fee_share_not_paid_out on billing.processor_fee_share (builder_id) where payout_id is null;

create function billing.keep_fee_share() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if (old.attempt_id, old.builder_id, old.amount_micros, old.shared_at)
    is distinct from (new.attempt_id, new.builder_id, new.amount_micros, new.shared_at) then
    raise exception 'a share of a fee never changes' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger keep_share before update on billing.processor_fee_share
  for each row execute function billing.keep_fee_share();

create trigger append_only before delete or truncate on billing.payout
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.transfer_return
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.processor_fee_share
  for each statement execute function billing.refuse_change();

do $$
declare
  t text;
begin
  foreach t in array array['payout', 'payout_day', 'transfer_return', 'processor_fee_share'] loop
    execute format('alter table billing.%I enable row level security', t);
    execute format('create policy worker_settles on billing.%I to billing_worker using (true) with check (true)', t);
  end loop;
  foreach t in array array['payout', 'transfer_return', 'processor_fee_share'] loop
    execute format('create policy builders_read on billing.%I for select to billing_api
                    using (builder_id = (select auth.current_account_id()))', t);
  end loop;
end
$$;
create policy builders_read on billing.processor_attempt for select to billing_api
  using (kind = 'transfer' and subject_id in
    (select p.payout_id from billing.payout p where p.builder_id = (select auth.current_account_id())));
create policy accounts_read on billing.payout_day for select to billing_api
  using ((select auth.current_account_id()) is not null);

-- Earnings collected and in no payout, by the month of the calls: released lines, what refunds took back of them, and shares in
-- the processor's fees. The payout of a month takes no money of later months, so these are summed up by month.
create view billing.unpaid_earning with (security_barrier = true) as
select s.builder_id, coalesce(l.adjustment_of, i.period) as period, false as is_fee_share, s.earning_micros, s.fee_micros
from (
  select invoice_id, place, builder_id, earning_micros, fee_micros from billing.released_line where payout_id is null
  union all
  select invoice_id, place, builder_id, -earning_micros, -fee_micros from billing.refunded_line where payout_id is null
) as s
join billing.invoice_line l using (invoice_id, place) join billing.invoice i using (invoice_id)
union all
select f.builder_id, i.period, true, -f.amount_micros, 0
from billing.processor_fee_share f
join billing.processor_attempt a using (attempt_id) join billing.invoice i on i.invoice_id = a.subject_id
where f.payout_id is null;

create view billing.own_unpaid_earning with (security_barrier = true) as
select * from billing.unpaid_earning where builder_id = (select auth.current_account_id());

grant select, insert, update (status, schedules, failures, due_at, paid_at, net_cents, held_cents, failing_since)
  on billing.payout to billing_worker;
grant select, insert on billing.payout_day to billing_worker;
grant select, insert, update (payout_id) on billing.transfer_return, billing.processor_fee_share to billing_worker;
grant select on billing.payout, billing.payout_day, billing.transfer_return, billing.processor_fee_share to billing_api;
grant select on billing.unpaid_earning to billing_worker;
grant select on billing.own_unpaid_earning to billing_api, billing_worker;
