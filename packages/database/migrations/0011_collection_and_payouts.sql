-- Money that moves: from consumers (charges), back to them (refunds, disputes), on to builders (payouts). Each order to the
-- processor is a row before it is given; what comes of it is written down with its ledger posting, in one transaction.

-- Also final here, not in code alone: what was paid or voided stays so.
alter table billing.invoice add column collect_at timestamptz; -- when it is next collected by itself; null: not any more
create index invoice_to_collect on billing.invoice (collect_at) where collect_at is not null;
create index invoice_by_due on billing.invoice (due_at) where status in ('open', 'past_due');
create function billing.guard_invoice_status() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if new.status <> old.status and not (
    (old.status = 'open' and new.status in ('paid', 'past_due', 'void'))
    or (old.status = 'past_due' and new.status in ('paid', 'uncollectible', 'void'))
    or (old.status = 'uncollectible' and new.status in ('paid', 'void'))
  ) then
    raise exception 'invoice % is %: it does not become %', old.invoice_id, old.status, new.status
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_status before update on billing.invoice
  for each row execute function billing.guard_invoice_status();

-- One order to the processor, and what is known of it. `unknown` from before the call until the processor has said what
-- came of it: it is looked up, never given again under another key as long as it may have been carried out.
create table billing.processor_attempt (
  attempt_id        uuid        primary key,
  kind              text        not null check (kind in ('charge', 'refund', 'transfer')),
  subject_id        uuid        not null, -- the invoice, the refund, the payout
  number            integer     not null check (number > 0),
  processor         text        not null,
  idempotency_key   text        not null unique, -- covers the amount
  amount_cents      billing.micros not null check (amount_cents > 0),
  party_id          text        not null, -- at the processor: the customer, the charge that is refunded, the payout account
  payment_method_id text,
  status            text        not null check (status in ('unknown', 'succeeded', 'failed', 'reversed')),
  object_id         text, -- at the processor
  failure_code      text,
  fee_cents         billing.micros not null default 0, -- what the processor keeps for itself
  started_at        timestamptz not null,
  begun_at          timestamptz not null default clock_timestamp(), -- by the machine's clock, which the sandbox's does not move
  look_at           timestamptz, -- when an unknown outcome is looked up next
  settled_at        timestamptz,
  unique (kind, subject_id, number),
  check ((status = 'unknown') = (settled_at is null)),
  check (status in ('unknown', 'failed') or object_id is not null)
);
-- One order at a time for each subject: two at once cannot both be given.
create unique index attempt_unsettled on billing.processor_attempt (kind, subject_id) where status = 'unknown';
create index attempt_to_look_up on billing.processor_attempt (processor, look_at) where status = 'unknown';
create unique index attempt_of_object on billing.processor_attempt (processor, object_id) where object_id is not null;

-- What of builders' gross has been released: F of it is what was taken in fees. Locked in the order of builder ids.
create table billing.builder_gross (
  builder_id   uuid not null,
  gross_key    text not null, -- 'lifetime', or the line's period where each month has its own
  gross_micros billing.micros not null,
  primary key (builder_id, gross_key)
);

-- A line whose money was collected: charge = earning + fee.
create table billing.released_line (
  invoice_id     uuid not null,
  place          integer not null,
  released_by    uuid not null, -- the invoice that was paid: the line's own, or the next one that billed anything
  release_place  integer not null check (release_place > 0), -- in the order in which fees were taken
  builder_id     uuid not null,
  gross_key      text not null,
  charge_micros  billing.micros not null,
  earning_micros billing.micros not null,
  fee_micros     billing.micros not null,
  released_at    timestamptz not null,
  payout_id      uuid, -- the payout that took it; null: none yet
  primary key (invoice_id, place),
  unique (released_by, release_place),
  check (charge_micros = earning_micros + fee_micros)
);
create index released_line_not_paid_out on billing.released_line (builder_id) where payout_id is null;
create index released_line_of_payout on billing.released_line (payout_id) where payout_id is not null;
create index released_line_of_builder on billing.released_line (builder_id, released_at);

-- Money given back: by the operator, or taken back by a dispute that was lost.
create table billing.refund (
  refund_id    uuid primary key,
  invoice_id   uuid not null,
  amount_cents billing.micros not null check (amount_cents > 0),
  cause        text not null check (cause in ('operator', 'dispute')),
  status       text not null check (status in ('pending', 'succeeded', 'failed')),
  failure_code text,
  created_at   timestamptz not null,
  succeeded_at timestamptz,
  check ((status = 'succeeded') = (succeeded_at is not null))
);
create index refund_of_invoice on billing.refund (invoice_id);

-- What a refund took back of a released line, as amounts above zero (below for what lowered the line).
create table billing.refunded_line (
  refund_id      uuid not null,
  invoice_id     uuid not null,
  place          integer not null,
  builder_id     uuid not null,
  gross_key      text not null,
  charge_micros  billing.micros not null,
  earning_micros billing.micros not null,
  fee_micros     billing.micros not null,
  refunded_at    timestamptz not null,
  payout_id      uuid, -- the payout that was lowered by it
  primary key (refund_id, invoice_id, place),
  check (charge_micros = earning_micros + fee_micros)
);
create index refunded_line_of_line on billing.refunded_line (invoice_id, place);
create index refunded_line_not_paid_out on billing.refunded_line (builder_id) where payout_id is null;
create index refunded_line_of_payout on billing.refunded_line (payout_id) where payout_id is not null;

create table billing.dispute (
  dispute_id           uuid primary key,
  processor            text not null,
  processor_dispute_id text not null,
  invoice_id           uuid not null,
  amount_cents         billing.micros not null check (amount_cents > 0),
  status               text not null check (status in ('open', 'won', 'lost')),
  refund_id            uuid unique, -- what it took, once it is lost
  opened_at            timestamptz not null,
  closed_at            timestamptz,
  unique (processor, processor_dispute_id),
  check ((status = 'open') = (closed_at is null)),
  check ((status = 'lost') = (refund_id is not null))
);
create index dispute_of_invoice on billing.dispute (invoice_id);

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
  unique (builder_id, period),
  check ((status = 'paid') = (paid_at is not null)),
  check (status <> 'scheduled' or due_at is not null),
  check (status <> 'paid' or due_at is null)
);
create index payout_due on billing.payout (due_at) where due_at is not null;
create index payout_waiting_for_account on billing.payout (builder_id) where status = 'failed' and due_at is null;

create index invoice_line_of_builder on billing.invoice_line (builder_id);

-- Of the invoices that bill its tools a builder sees only what these two say: whose calls of which month a line is of.
create view billing.uncollected_line with (security_barrier = true) as
select l.builder_id, i.consumer_id, coalesce(l.adjustment_of, i.period) as period, l.adjustment_of is not null as is_adjustment,
  l.tool_id, l.price_id, l.charge_index, l.name, l.charge_micros
from billing.invoice_line l join billing.invoice i using (invoice_id)
where l.builder_id = (select auth.current_account_id())
  and not exists (select from billing.released_line r where r.invoice_id = l.invoice_id and r.place = l.place)
  -- What an invoice that bills 0 carries on is written off with the next one that bills anything.
  and not exists (
    select from (
      select later.status from billing.invoice later
      where later.consumer_id = i.consumer_id and later.period >= i.period and later.total_cents > 0
      order by later.period limit 1
    ) collecting where collecting.status in ('uncollectible', 'void')
  );

create view billing.settled_line with (security_barrier = true) as
select s.payout_id, s.is_refund, l.builder_id, i.consumer_id, coalesce(l.adjustment_of, i.period) as period,
  l.adjustment_of is not null as is_adjustment, l.tool_id, l.price_id, l.charge_index, l.name,
  s.charge_micros, s.earning_micros, s.fee_micros
from (
  select invoice_id, place, payout_id, builder_id, false as is_refund, charge_micros, earning_micros, fee_micros
  from billing.released_line
  union all
  select invoice_id, place, payout_id, builder_id, true, -charge_micros, -earning_micros, -fee_micros
  from billing.refunded_line
) as s
join billing.invoice_line l using (invoice_id, place) join billing.invoice i using (invoice_id)
where s.builder_id = (select auth.current_account_id());

grant select on billing.uncollected_line, billing.settled_line to billing_api;

-- Periods whose payout day has been worked off, in order, each once.
create table billing.payout_day (
  period  text primary key check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  done_at timestamptz not null
);

alter table billing.webhook_event drop constraint webhook_event_object_kind_check;
alter table billing.webhook_event add constraint webhook_event_object_kind_check
  check (object_kind in ('account', 'customer', 'charge', 'refund', 'transfer', 'dispute', 'other'));

alter table billing.processor_attempt enable row level security;
alter table billing.builder_gross enable row level security;
alter table billing.released_line enable row level security;
alter table billing.refund enable row level security;
alter table billing.refunded_line enable row level security;
alter table billing.dispute enable row level security;
alter table billing.payout enable row level security;
alter table billing.payout_day enable row level security;

create policy worker_settles on billing.processor_attempt to billing_worker using (true) with check (true);
create policy worker_settles on billing.builder_gross to billing_worker using (true) with check (true);
create policy worker_settles on billing.released_line to billing_worker using (true) with check (true);
create policy worker_settles on billing.refund to billing_worker using (true) with check (true);
create policy worker_settles on billing.refunded_line to billing_worker using (true) with check (true);
create policy worker_settles on billing.dispute to billing_worker using (true) with check (true);
create policy worker_settles on billing.payout to billing_worker using (true) with check (true);
create policy worker_settles on billing.payout_day to billing_worker using (true) with check (true);

create policy builders_read on billing.invoice_line for select to billing_api
  using (builder_id = (select auth.current_account_id()));
create policy builders_read on billing.builder_gross for select to billing_api
  using (builder_id = (select auth.current_account_id()));
create policy builders_read on billing.released_line for select to billing_api
  using (builder_id = (select auth.current_account_id()));
create policy builders_read on billing.refunded_line for select to billing_api
  using (builder_id = (select auth.current_account_id()));
create policy builders_read on billing.payout for select to billing_api
  using (builder_id = (select auth.current_account_id()));
create policy builders_read on billing.processor_attempt for select to billing_api
  using (kind = 'transfer' and subject_id in
    (select p.payout_id from billing.payout p where p.builder_id = (select auth.current_account_id())));
create policy accounts_read on billing.payout_day for select to billing_api
  using ((select auth.current_account_id()) is not null);
create policy consumers_read on billing.refund for select to billing_api
  using (invoice_id in (select i.invoice_id from billing.invoice i where i.consumer_id = (select auth.current_account_id())));

create trigger append_only before delete or truncate on billing.processor_attempt
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.released_line
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.refund
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.refunded_line
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.dispute
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.payout
  for each statement execute function billing.refuse_change();

grant update (status, paid_at, collect_at) on billing.invoice to billing_worker;
grant select, insert, update (status, object_id, failure_code, fee_cents, look_at, settled_at)
  on billing.processor_attempt to billing_worker;
grant select, insert, update (gross_micros) on billing.builder_gross to billing_worker;
grant select, insert, update (payout_id) on billing.released_line, billing.refunded_line to billing_worker;
grant select, insert, update (status, failure_code, succeeded_at) on billing.refund to billing_worker;
grant select, insert, update (status, refund_id, closed_at) on billing.dispute to billing_worker;
grant select, insert, update (status, schedules, failures, due_at, paid_at) on billing.payout to billing_worker;
grant select, insert on billing.payout_day to billing_worker;
grant select on billing.processor_attempt, billing.builder_gross, billing.released_line, billing.refund,
  billing.refunded_line, billing.payout, billing.payout_day to billing_api;
