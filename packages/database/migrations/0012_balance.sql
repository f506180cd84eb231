-- The balance of a consumer: money that pays its invoices before a card does. It consists of credits, such as one that the
-- operator granted. The ledger has the same money in the accounts consumer_balance, one per consumer.

-- A top-up: a consumer pays money onto its own balance. Its charge is an order to the processor as any other, and becomes a
-- credit of the balance in the transaction that writes down its success.
create table billing.top_up (
  top_up_id    uuid           primary key,
  account_id   uuid           not null,
  amount_cents billing.micros not null check (amount_cents between 100 and 1000000),
  status       text           not null check (status in ('pending', 'succeeded', 'failed')),
  failure_code text,
  created_at   timestamptz    not null,
  succeeded_at timestamptz,
  is_automatic boolean        not null default false,
  check ((status = 'succeeded') = (succeeded_at is not null)),
  check (failure_code is null or status = 'failed')
);
create index top_up_of_account on billing.top_up (account_id, created_at desc, top_up_id desc);
-- One at a time, whose outcome decides what comes next.
create unique index auto_top_up_pending on billing.top_up (account_id) where is_automatic and status = 'pending';

-- A charge may succeed long after it was believed to have failed. What succeeded stays so.
create function billing.guard_top_up_status() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if new.status <> old.status and (old.status = 'succeeded' or new.status = 'pending') then
    raise exception 'top-up % is %: it does not become %', old.top_up_id, old.status, new.status
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_status before update on billing.top_up
  for each row execute function billing.guard_top_up_status();
create trigger append_only before delete or truncate on billing.top_up
  for each statement execute function billing.refuse_change();

-- A grant pays for calls that are made while it is valid: from effective_from, and before ends_at.
create table billing.balance_credit (
  credit_id      uuid           primary key,
  account_id     uuid           not null,
  amount_cents   billing.micros not null check (amount_cents > 0),
  left_cents     billing.micros not null default 0 -- the sum of its moves
    constraint credit_is_never_overdrawn check (left_cents between 0 and amount_cents),
  reason         text           not null,
  expires_at     timestamptz,
  created_at     timestamptz    not null,
  top_up_id      uuid           references billing.top_up, -- the top-up of the credit, with the same id
  effective_from timestamptz    not null,
  usable_until   timestamptz, -- money that came back may be used until then, also if it would have expired
  ends_at        timestamptz    generated always as (case when expires_at is not null then greatest(expires_at, usable_until) end) stored,
  -- The part of what is left that calls which no invoice has taken yet were laid on, when somebody looked last.
  reserved_cents billing.micros not null default 0 check (reserved_cents >= 0),
  reserved_at    timestamptz,
  constraint credit_of_top_up check (top_up_id is null or (top_up_id = credit_id and expires_at is null)),
  constraint it_begins_before_it_ends check (expires_at is null or effective_from < expires_at)
);
create index balance_credit_of_account on billing.balance_credit (account_id, created_at);
create index balance_credit_to_expire on billing.balance_credit (ends_at) where left_cents > 0 and top_up_id is null;

-- A move says what a posting did to a credit: above zero what came in, below zero what was taken.
create table billing.balance_move (
  business_key text           not null, -- the key of the posting
  credit_id    uuid           not null references billing.balance_credit,
  account_id   uuid           not null,
  amount_cents billing.micros not null check (amount_cents <> 0),
  invoice_id   uuid, -- the invoice that was paid, or whose payment came back
  moved_at     timestamptz    not null,
  primary key (business_key, credit_id)
);
create index balance_move_of_credit on billing.balance_move (credit_id);
create index balance_move_of_invoice on billing.balance_move (invoice_id) where invoice_id is not null;

-- An invoice takes of a credit what was laid on it, so that part is reserved no more.
create function billing.follow_balance_move() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update billing.balance_credit set left_cents = left_cents + new.amount_cents,
    reserved_cents = case when new.invoice_id is null then reserved_cents
      else greatest(0, reserved_cents + least(0, new.amount_cents)) end
  where credit_id = new.credit_id;
  return null;
end
$$;
create trigger follow_move after insert on billing.balance_move
  for each row execute function billing.follow_balance_move();
create trigger append_only before update or delete or truncate on billing.balance_move
  for each statement execute function billing.refuse_change();

-- The charges of an invoice were laid on the grants of its consumer: when first, and which credit the last cent that it began and
-- carries out was laid on, for calls of that span.
create table billing.laid_invoice (
  invoice_id        uuid        primary key references billing.invoice,
  consumer_id       uuid        not null,
  laid_at           timestamptz not null,
  carried_credit_id uuid        references billing.balance_credit,
  carried_from      timestamptz,
  carried_to        timestamptz,
  check (num_nulls(carried_credit_id, carried_from, carried_to) in (0, 3))
);
create index laid_invoice_of_consumer on billing.laid_invoice (consumer_id, laid_at);

-- Which grant pays which part of an invoice: calls of that span. The moves of the balance have the same sums.
create table billing.laid_part (
  invoice_id  uuid           not null references billing.laid_invoice,
  place       integer        not null,
  credit_id   uuid           not null references billing.balance_credit,
  from_at     timestamptz    not null,
  to_at       timestamptz    not null check (to_at > from_at),
  cents       billing.micros not null check (cents > 0),
  primary key (invoice_id, place)
);

-- An account lets its balance be topped up by itself, up to an amount per month.
create table billing.auto_top_up (
  account_id        uuid           primary key,
  below_cents       billing.micros not null check (below_cents > 0),
  amount_cents      billing.micros not null check (amount_cents between 100 and 1000000),
  monthly_max_cents billing.micros not null,
  failures          integer        not null default 0 check (failures >= 0), -- in a row
  failure_code      text, -- the code of the last failure
  retry_at          timestamptz, -- the earliest next try after a failure
  changed_at        timestamptz    not null,
  check (monthly_max_cents >= amount_cents)
);

-- The sum that was topped up by itself in a month, in UTC. It outlives the setting, so whoever sets it anew begins no new month.
create table billing.auto_top_up_month (
  account_id    uuid           not null,
  period        text           not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  ordered_cents billing.micros not null,
  max_cents     billing.micros not null,
  primary key (account_id, period),
  constraint auto_top_up_is_within_its_month check (ordered_cents between 0 and max_cents)
);

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
create trigger count_automatic after insert or update of status on billing.top_up
  for each row when (new.is_automatic) execute function billing.count_auto_top_up();

-- An account must hear this of its automatic top-ups: one failed, or the month has no room for another.
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

-- Money of a top-up that went back to its card. The balance gives it; what was spent already nobody gives.
create table billing.top_up_refund (
  refund_id     uuid           primary key,
  top_up_id     uuid           not null references billing.top_up,
  account_id    uuid           not null,
  amount_cents  billing.micros not null check (amount_cents <> 0), -- below zero: it came back to us
  balance_cents billing.micros not null, -- the part of it that the balance gave
  cause         text           not null check (cause in ('dispute', 'processor', 'reinstated', 'ordered')),
  processor     text,
  object_id     text, -- the id of a refund that was made at the processor
  reinstates    uuid unique references billing.top_up_refund, -- the refund that this one undoes
  created_at    timestamptz    not null,
  check ((amount_cents < 0) = (reinstates is not null)),
  check (balance_cents between least(amount_cents, 0) and greatest(amount_cents, 0))
);
create index top_up_refund_of_top_up on billing.top_up_refund (top_up_id);
create index top_up_refund_of_account on billing.top_up_refund (account_id);
create trigger append_only before update or delete or truncate on billing.top_up_refund
  for each statement execute function billing.refuse_change();

-- A refund of unused balance: money of top-ups goes back to the cards that paid it. It has a part per top-up, and a part is an
-- order to the processor as any other. Its money leaves the balance before the order goes, and stands in the ledger account
-- `refund_in_transit` until the outcome is known.
create table billing.balance_refund (
  refund_id    uuid           primary key,
  account_id   uuid           not null,
  amount_cents billing.micros not null check (amount_cents > 0), -- the sum of its parts
  created_at   timestamptz    not null
);
create index balance_refund_of_account on billing.balance_refund (account_id, created_at desc, refund_id desc);
create trigger append_only before update or delete or truncate on billing.balance_refund
  for each statement execute function billing.refuse_change();

create table billing.balance_refund_part (
  part_id      uuid           primary key,
  refund_id    uuid           not null references billing.balance_refund,
  top_up_id    uuid           not null references billing.top_up,
  account_id   uuid           not null,
  amount_cents billing.micros not null check (amount_cents > 0),
  status       text           not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  failure_code text,
  created_at   timestamptz    not null,
  settled_at   timestamptz, -- when the first outcome was known, and its money left `refund_in_transit`
  unique (refund_id, top_up_id),
  check ((status = 'pending') = (settled_at is null)),
  check (failure_code is null or status = 'failed')
);
create index balance_refund_part_pending on billing.balance_refund_part (top_up_id) where status = 'pending';

-- A failed order may succeed late, and a bank may return the money of one that succeeded. None is pending again.
create function billing.guard_balance_refund_part() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if old.status <> 'pending' and (new.status = 'pending' or new.settled_at is distinct from old.settled_at) then
    raise exception 'part % of a balance refund is %: its outcome is known', old.part_id, old.status
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_status before update on billing.balance_refund_part
  for each row execute function billing.guard_balance_refund_part();
create trigger append_only before delete or truncate on billing.balance_refund_part
  for each statement execute function billing.refuse_change();

do $$
declare
  t text;
begin
  foreach t in array array['top_up', 'balance_credit', 'balance_move', 'laid_invoice', 'laid_part', 'auto_top_up',
    'auto_top_up_month', 'balance_alert', 'top_up_refund', 'balance_refund', 'balance_refund_part'] loop
    execute format('alter table billing.%I enable row level security', t);
    execute format('create policy worker_settles on billing.%I to billing_worker using (true) with check (true)', t);
  end loop;
  foreach t in array array['top_up', 'balance_credit', 'balance_move', 'auto_top_up_month', 'top_up_refund', 'balance_refund',
    'balance_refund_part'] loop
    execute format('create policy owners_read on billing.%I for select to billing_api
                    using (account_id = (select auth.current_account_id()))', t);
  end loop;
end
$$;
create policy owners_read on billing.laid_invoice for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
create policy owners_read on billing.laid_part for select to billing_api
  using (invoice_id in (select l.invoice_id from billing.laid_invoice l where l.consumer_id = (select auth.current_account_id())));
create policy own_setting on billing.auto_top_up to billing_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));

revoke all on function billing.follow_balance_move(), billing.count_auto_top_up() from public;
grant select, insert, update (status, failure_code, succeeded_at) on billing.top_up to billing_worker;
grant insert (is_automatic) on billing.top_up to billing_worker;
grant select on billing.balance_credit to billing_worker, billing_api;
grant insert (credit_id, account_id, amount_cents, reason, expires_at, created_at, top_up_id, effective_from)
  on billing.balance_credit to billing_worker;
-- The reason only to lock rows: the trigger changes what is left.
grant update (reason, usable_until, reserved_cents, reserved_at) on billing.balance_credit to billing_worker;
grant select, insert on billing.balance_move to billing_worker;
grant select, insert, update on billing.laid_invoice to billing_worker;
grant select, insert, delete on billing.laid_part to billing_worker;
grant select, update (failures, failure_code, retry_at) on billing.auto_top_up to billing_worker;
grant select, delete, insert, update on billing.auto_top_up to billing_api;
grant select on billing.auto_top_up_month to billing_worker, billing_api;
grant select, insert on billing.balance_alert to billing_worker;
grant select, insert on billing.top_up_refund to billing_worker;
grant select, insert on billing.balance_refund to billing_worker;
grant select, insert, update (status, failure_code, settled_at) on billing.balance_refund_part to billing_worker;
grant select on billing.top_up, billing.balance_move, billing.laid_invoice, billing.laid_part, billing.top_up_refund,
  billing.balance_refund, billing.balance_refund_part to billing_api;
grant select on billing.balance_alert_v1 to ingest_gateway_worker;
