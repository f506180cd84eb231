-- The sandbox: its clock, which every service reads, and its processor's own memory, which is what Stripe would keep on its
-- side. Only the sandbox's adapter and pages look into that; billing learns of it as of any processor, through the port and by
-- webhook.

-- One row, or none: without one, time is the machine's. At `set_at` (the database's clock) the sandbox's clock stood at
-- `stood_at`, and it ticked on from there unless frozen. `moves` tells a move from a heartbeat.
create table sandbox.clock (
  only_row  boolean primary key default true check (only_row),
  stood_at  timestamptz not null,
  set_at    timestamptz not null,
  is_frozen boolean not null,
  moves     bigint not null check (moves > 0),
  -- How far the work is done that moves of the clock made due: a move that takes long is answered before its work has ended,
  -- and any process can say how far it has come.
  worked_through timestamptz
);

create view sandbox.clock_v1 as
select stood_at, set_at, is_frozen, moves from sandbox.clock;

-- Begins an empty database's clock. Answers false once anything bears a time: a clock must never go back.
create function sandbox.begin_clock(start timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  lock table sandbox.clock in exclusive mode; -- one of the services that start together begins the clock
  if exists (select from sandbox.clock) then
    return true;
  end if;
  if exists (select from auth.signing_key) or exists (select from auth.account) or exists (select from billing.tool)
     or exists (select from event_log.record_batch) or exists (select from usage.cursor where counted_through > '-infinity')
  then
    return false;
  end if;
  insert into sandbox.clock (stood_at, set_at, is_frozen, moves) values (start, clock_timestamp(), false, 1);
  return true;
end
$$;
revoke execute on function sandbox.begin_clock(timestamptz) from public;

create table sandbox.account (
  account_id        text        primary key,
  idempotency_key   text        not null unique,
  reference         text        not null, -- the caller's name for its subject
  details_submitted boolean     not null default false,
  payouts_enabled   boolean     not null default false,
  created_at        timestamptz not null,
  check (details_submitted or not payouts_enabled)
);

create table sandbox.customer (
  customer_id       text        primary key,
  idempotency_key   text        not null unique,
  reference         text        not null,
  -- The card on file; a new one takes the place of the old one.
  payment_method_id text        unique,
  brand             text,
  last4             text,
  exp_month         integer,
  exp_year          integer,
  created_at        timestamptz not null,
  check (num_nulls(payment_method_id, brand, last4, exp_month, exp_year) in (0, 5))
);

-- A hosted page's address. Whoever has the token may answer for the object, once; of the token only the hash is kept.
create table sandbox.link (
  token_hash bytea       primary key,
  kind       text        not null check (kind in ('onboarding', 'card_setup')),
  object_id  text        not null,
  return_url text        not null, -- checked when the link was made; the page leads nowhere else
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index link_of_object on sandbox.link (object_id, expires_at);

-- Events that have happened, until a webhook has reported them.
create table sandbox.event (
  event_id     text        primary key,
  type         text        not null,
  object_id    text        not null,
  created_at   timestamptz not null,
  delivered_at timestamptz
);
create index event_undelivered on sandbox.event (created_at) where delivered_at is null;
create index event_of_time on sandbox.event (created_at, event_id);

-- Money that moved.
create table sandbox.movement (
  object_id         text        primary key,
  kind              text        not null check (kind in ('charge', 'refund', 'transfer')),
  idempotency_key   text        not null unique,
  attempt_id        text        not null unique, -- the caller's
  subject_id        text        not null, -- the caller's subject: an invoice, a refund, a payout
  party_id          text        not null, -- the customer, the charge that is refunded, the payout account
  payment_method_id text,
  amount_cents      bigint      not null check (amount_cents > 0),
  status            text        not null check (status in ('succeeded', 'failed')),
  failure_code      text,
  fee_cents         bigint      not null check (fee_cents between 0 and amount_cents),
  reverses_at       timestamptz, -- from then on a transfer that had succeeded has come back
  created_at        timestamptz not null,
  check ((status = 'failed') = (failure_code is not null)),
  check (reverses_at is null or status = 'succeeded')
);
create index movement_listed on sandbox.movement (kind, created_at, object_id);
create index movement_of_subject on sandbox.movement (subject_id);
create index refund_of_charge on sandbox.movement (party_id) where kind = 'refund';
create index movement_reversing on sandbox.movement (reverses_at) where reverses_at is not null;

-- A dispute may stay open: its money and its fee have left the balance, until somebody decides it. Won, the money comes back
-- and the fee does not.
create table sandbox.dispute (
  dispute_id   text        primary key,
  charge_id    text        not null references sandbox.movement,
  amount_cents bigint      not null check (amount_cents > 0),
  status       text        not null check (status in ('open', 'won', 'lost')),
  created_at   timestamptz not null,
  fee_cents    bigint      not null default 0 check (fee_cents >= 0)
);
create index dispute_listed on sandbox.dispute (created_at, dispute_id);
create index dispute_of_charge on sandbox.dispute (charge_id);

-- As at Stripe: a dispute that was lost may be won after all, and what is won stays so.
create function sandbox.guard_dispute() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if old.status = 'won' or new.status = 'open' then
    raise exception 'dispute % is % and does not become %', old.dispute_id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_status before update of status on sandbox.dispute
  for each row execute function sandbox.guard_dispute();

-- Payouts of the platform's own balance to its bank.
create table sandbox.own_payout (
  payout_id    text        primary key,
  amount_cents bigint      not null check (amount_cents > 0),
  returns_at   timestamptz, -- from then on the bank has sent the money back
  created_at   timestamptz not null
);
create index own_payout_listed on sandbox.own_payout (created_at, payout_id);

-- Failures that the operator wants for the next orders, the oldest first.
create table sandbox.failure (
  failure_id uuid        primary key,
  place      bigint      generated always as identity, -- the order in which they came; the sandbox's clock may stand still
  kind       text        not null check (kind in ('charge', 'refund', 'transfer')),
  failure    text        not null,
  subject_id text, -- only with what is for this; null: with any
  times_left integer     not null check (times_left >= 0),
  created_at timestamptz not null
);
create index failure_to_come on sandbox.failure (kind, place) where times_left > 0;

-- The platform's balance at the sandbox: charges add to it; refunds, transfers, fees and lost disputes take from it. Summing up
-- all movements for each transfer would cost more with each month, so triggers keep the sum. It lies in parts, so that
-- movements at once seldom wait for each other. `reverses_at` is a time to come: movements that have one are added when read.
create table sandbox.balance (
  part  smallint       primary key check (part between 0 and 15),
  cents billing.micros not null
);
insert into sandbox.balance select part, 0 from generate_series(0, 15) as part;

create function sandbox.follow_movement() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update sandbox.balance b set cents = b.cents - new.fee_cents + case
    when new.status <> 'succeeded' then 0 when new.kind = 'charge' then new.amount_cents else -new.amount_cents end
  where b.part = abs(hashtext(new.object_id) % 16);
  return null;
end
$$;
create trigger follow_movement after insert on sandbox.movement
  for each row execute function sandbox.follow_movement();

create function sandbox.follow_dispute() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update sandbox.balance b set cents = b.cents - new.fee_cents - case when new.status = 'won' then 0 else new.amount_cents end
  where b.part = abs(hashtext(new.dispute_id) % 16);
  return null;
end
$$;
create trigger follow_dispute after insert on sandbox.dispute
  for each row execute function sandbox.follow_dispute();

create function sandbox.follow_decision() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update sandbox.balance b set cents = b.cents + new.amount_cents
  where new.status = 'won' and b.part = abs(hashtext(new.dispute_id) % 16);
  return null;
end
$$;
create trigger follow_decision after update of status on sandbox.dispute
  for each row execute function sandbox.follow_decision();
revoke all on function sandbox.follow_movement(), sandbox.guard_dispute(), sandbox.follow_dispute(), sandbox.follow_decision()
  from public;

grant select, insert, update on sandbox.clock to billing_worker;
grant select on sandbox.clock_v1 to auth_worker, ingest_gateway_worker, aggregator_worker, billing_worker;
grant execute on function sandbox.begin_clock(timestamptz)
  to auth_worker, ingest_gateway_worker, aggregator_worker, billing_worker;
grant select, insert, update on sandbox.account, sandbox.customer, sandbox.event to billing_worker;
grant select, insert, update, delete on sandbox.link, sandbox.failure to billing_worker;
grant select, insert on sandbox.movement, sandbox.dispute, sandbox.own_payout to billing_worker;
grant update (status) on sandbox.dispute to billing_worker;
grant select on sandbox.balance to billing_worker;
