-- Money of invoices that was collected, and what went back to consumers: refunds and disputes. All of it is booked, also what
-- moved at the processor without an order of ours.

-- The part of builders' gross that was released: F of it is what was taken in fees. Locked in the order of builder ids.
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

-- Money given back: by the operator, or taken back by a dispute that was lost. `processor`: made at the processor by hand.
-- `reinstated`: a lost dispute that was won after all; its amount is below zero.
create table billing.refund (
  refund_id        uuid primary key,
  invoice_id       uuid not null,
  amount_cents     billing.micros not null,
  cause            text not null check (cause in ('operator', 'dispute', 'processor', 'reinstated')),
  status           text not null check (status in ('pending', 'succeeded', 'failed')),
  failure_code     text,
  created_at       timestamptz not null,
  succeeded_at     timestamptz,
  processor        text,
  object_id        text, -- the id of a refund that was made at the processor
  reinstates       uuid unique,
  part             jsonb, -- which of the released lines give back: named lines, or one builder's; null: all
  -- The order whose money it gives back: a charge that its invoice did not need, or a refund that the bank returned.
  stray_attempt_id uuid,
  balance_cents    billing.micros not null default 0, -- the part that goes back to the balance; the rest goes back to the card
  charge_object_id text, -- null: nothing of it went back to a charge
  order_id         uuid references billing.refund, -- an order may need several, if several charges paid: the others name the first
  check ((status = 'succeeded') = (succeeded_at is not null)),
  check (part is null or cause = 'operator' and jsonb_typeof(part) = 'object'),
  constraint refund_amount_cents_check check (amount_cents <> 0 and (amount_cents < 0) = (cause = 'reinstated')),
  constraint refund_reinstates_check check ((cause = 'reinstated') = (reinstates is not null)),
  constraint refund_object_check check ((cause = 'processor') = (object_id is not null) and (processor is null) = (object_id is null)),
  constraint refund_of_stray_has_no_part check (part is null or stray_attempt_id is null), -- no invoice's lines have that money
  constraint balance_part_of_refund check (balance_cents = 0 or balance_cents between 0 and amount_cents)
);
create index refund_of_invoice on billing.refund (invoice_id);
create unique index refund_of_object on billing.refund (processor, object_id) where object_id is not null;
create index refund_of_stray on billing.refund (stray_attempt_id) where stray_attempt_id is not null;
create index refund_of_order on billing.refund (order_id) where order_id is not null;

-- The part of a released line that a refund took back, as amounts above zero (below for what lowered the line).
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

-- The processor's fee on a refund that somebody made at the processor. The fee on an ordered refund is that of its attempt.
create table billing.foreign_refund_fee (
  refund_id uuid           primary key, -- a refund of an invoice or of a top-up
  fee_cents billing.micros not null check (fee_cents > 0),
  posted_at timestamptz    not null
);

-- A credit note: the document of a refund, with a number of its own. The invoice and its print stay as they are. A note never
-- changes. Money back from a lost dispute that was won has a note below zero. Refunds of stray money have none, since they
-- lower no invoice.
create table billing.credit_note (
  number       bigint         primary key check (number > 0), -- without gaps
  refund_id    uuid           not null unique,
  invoice_id   uuid           not null,
  consumer_id  uuid           not null,
  amount_cents billing.micros not null check (amount_cents <> 0),
  issued_at    timestamptz    not null
);
create index credit_note_of_consumer on billing.credit_note (consumer_id, number);

-- A dispute is of the charge of an invoice or of a top-up. One that was won late keeps the refund that it had been. Money that
-- the processor withdrew for it and has neither given back nor taken for good is no cash meanwhile, and stands in the ledger
-- account `disputed`.
create table billing.dispute (
  dispute_id           uuid primary key,
  processor            text not null,
  processor_dispute_id text not null,
  invoice_id           uuid,
  amount_cents         billing.micros not null check (amount_cents > 0),
  status               text not null check (status in ('open', 'won', 'lost')),
  refund_id            uuid unique, -- the refund that a lost dispute took
  opened_at            timestamptz not null,
  closed_at            timestamptz,
  taken_cents          billing.micros not null default 0, -- withdrawn by the processor and not given back
  fee_cents            billing.micros, -- the processor's fee, as far as it is posted; null before it was first read
  fee_postings         integer not null default 0,
  held_cents           billing.micros not null default 0 check (held_cents >= 0), -- in `disputed`, as far as it is posted
  held_postings        integer not null default 0,
  top_up_id            uuid references billing.top_up,
  unique (processor, processor_dispute_id),
  check ((status = 'open') = (closed_at is null)),
  constraint dispute_lost_is_refund check (status <> 'lost' or refund_id is not null),
  constraint dispute_of_one_charge check (num_nonnulls(invoice_id, top_up_id) = 1)
);
create index dispute_of_invoice on billing.dispute (invoice_id);
create index dispute_of_top_up on billing.dispute (top_up_id) where top_up_id is not null;

-- The share of a builder in an open dispute: what it would give back if the dispute were lost now. It is set aside, so no
-- payout takes it. The row stays when the dispute is closed, and counts for nothing then.
create table billing.dispute_hold (
  dispute_id     uuid           not null,
  builder_id     uuid           not null,
  earning_micros billing.micros not null check (earning_micros > 0),
  primary key (dispute_id, builder_id)
);
create index dispute_hold_of_builder on billing.dispute_hold (builder_id);

create trigger append_only before delete or truncate on billing.released_line
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.refund
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.refunded_line
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.dispute
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.foreign_refund_fee
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.credit_note
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.dispute_hold
  for each statement execute function billing.refuse_change();

-- The charges for a builder's tools that were collected or written off, by the month of the calls: of each line that is in
-- billing.released_line, or whose money an invoice should have collected that is void or uncollectible. Less these sums,
-- billing.billed_gross is what is still to be collected. It was looked for among all lines ever billed for the builder.
create table billing.settled_gross (
  builder_id   uuid not null,
  period       text not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  gross_micros billing.micros not null,
  primary key (builder_id, period)
) with (fillfactor = 70);

-- In key order, so that two of them wait for each other.
create function billing.settle_released_gross() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  insert into billing.settled_gross as g (builder_id, period, gross_micros)
  select n.builder_id, coalesce(l.adjustment_of, i.period), sum(n.charge_micros)
  from new_line n join billing.invoice_line l using (invoice_id, place) join billing.invoice i using (invoice_id)
  group by 1, 2 order by 1, 2
  on conflict (builder_id, period) do update set gross_micros = g.gross_micros + excluded.gross_micros;
  return null;
end
$$;
create trigger settles_gross after insert on billing.released_line
  referencing new table as new_line for each statement execute function billing.settle_released_gross();

-- With an invoice, those right before it are written off that billed nothing: their charges were carried into it. One that
-- is paid after all releases the same lines, so they are no longer written off.
create function billing.settle_written_off_gross() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  was_written_off boolean := old.status in ('uncollectible', 'void');
  is_written_off boolean := new.status in ('uncollectible', 'void');
begin
  if was_written_off = is_written_off then
    return null;
  end if;
  insert into billing.settled_gross as g (builder_id, period, gross_micros)
  select l.builder_id, coalesce(l.adjustment_of, i.period),
    case when is_written_off then sum(l.charge_micros) else -sum(l.charge_micros) end
  from billing.invoice i join billing.invoice_line l using (invoice_id)
  where i.consumer_id = new.consumer_id and i.period <= new.period and i.period > coalesce(
    (select max(b.period) from billing.invoice b
     where b.consumer_id = new.consumer_id and b.period < new.period and b.total_cents > 0), '')
  group by 1, 2 order by 1, 2
  on conflict (builder_id, period) do update set gross_micros = g.gross_micros + excluded.gross_micros;
  return null;
end
$$;
create trigger settles_gross after update of status on billing.invoice
  for each row execute function billing.settle_written_off_gross();
revoke all on function billing.settle_released_gross(), billing.settle_written_off_gross() from public;

do $$
declare
  t text;
begin
  foreach t in array array['builder_gross', 'released_line', 'refund', 'refunded_line', 'foreign_refund_fee', 'credit_note',
    'dispute', 'dispute_hold'] loop
    execute format('alter table billing.%I enable row level security', t);
    execute format('create policy worker_settles on billing.%I to billing_worker using (true) with check (true)', t);
  end loop;
  foreach t in array array['builder_gross', 'released_line', 'refunded_line', 'settled_gross'] loop
    execute format('create policy builders_read on billing.%I for select to billing_api
                    using (builder_id = (select auth.current_account_id()))', t);
  end loop;
end
$$;
alter table billing.settled_gross enable row level security;
create policy worker_reads on billing.settled_gross for select to billing_worker using (true);
create policy consumers_read on billing.refund for select to billing_api
  using (invoice_id in (select i.invoice_id from billing.invoice i where i.consumer_id = (select auth.current_account_id())));
create policy consumers_read on billing.credit_note for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
-- A consumer reads only that a dispute of its own top-up is open, which keeps its money from being spent.
create policy owners_read on billing.dispute for select to billing_api
  using (top_up_id in (select t.top_up_id from billing.top_up t where t.account_id = (select auth.current_account_id())));

-- A builder sees of the invoices that bill its tools only what these two say: whose calls of which month a line is of.
create view billing.uncollected_line with (security_barrier = true) as
select l.builder_id, i.consumer_id, coalesce(l.adjustment_of, i.period) as period, l.adjustment_of is not null as is_adjustment,
  l.tool_id, l.price_id, l.charge_index, l.name, l.charge_micros
from billing.invoice_line l join billing.invoice i using (invoice_id)
where l.builder_id = (select auth.current_account_id())
  and not exists (select from billing.released_line r where r.invoice_id = l.invoice_id and r.place = l.place)
  -- The charge that an invoice that bills 0 carries on is written off with the next one that bills anything.
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

grant select, insert, update (gross_micros) on billing.builder_gross to billing_worker;
grant select, insert, update (payout_id) on billing.released_line, billing.refunded_line to billing_worker;
grant select, insert, update (status, failure_code, succeeded_at) on billing.refund to billing_worker;
grant select, insert, update (status, refund_id, closed_at, taken_cents, fee_cents, fee_postings, held_cents, held_postings)
  on billing.dispute to billing_worker;
grant select, insert on billing.foreign_refund_fee, billing.credit_note, billing.dispute_hold to billing_worker;
grant select on billing.settled_gross to billing_worker, billing_api;
grant select on billing.builder_gross, billing.released_line, billing.refund, billing.refunded_line, billing.credit_note,
  billing.uncollected_line, billing.settled_line to billing_api;
grant select (dispute_id, top_up_id, status) on billing.dispute to billing_api;
