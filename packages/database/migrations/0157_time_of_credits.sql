-- A grant pays for calls that are made while it is valid: from effective_from, and before ends_at.
alter table billing.balance_credit
  add column effective_from timestamptz,
  add column usable_until timestamptz, -- money that came back may be used until then, also if it would have expired
  add column ends_at timestamptz generated always as (case when expires_at is not null then greatest(expires_at, usable_until) end) stored,
  -- The part of what is left that calls which no invoice has taken yet were laid on, when somebody looked last.
  add column reserved_cents billing.micros not null default 0 check (reserved_cents >= 0),
  add column reserved_at timestamptz;
update billing.balance_credit set effective_from = created_at where effective_from is null;
alter table billing.balance_credit alter column effective_from set not null;
alter table billing.balance_credit add constraint it_begins_before_it_ends check (expires_at is null or effective_from < expires_at);
drop index billing.balance_credit_to_expire;
create index balance_credit_to_expire on billing.balance_credit (ends_at) where left_cents > 0 and top_up_id is null;
grant insert (effective_from), update (usable_until, reserved_cents, reserved_at) on billing.balance_credit to billing_worker;

-- An invoice takes of a credit what was laid on it, so that part is reserved no more.
create or replace function billing.follow_balance_move() returns trigger
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

alter table billing.laid_invoice enable row level security;
alter table billing.laid_part enable row level security;
create policy worker_settles on billing.laid_invoice to billing_worker using (true) with check (true);
create policy worker_settles on billing.laid_part to billing_worker using (true) with check (true);
create policy owners_read on billing.laid_invoice for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
create policy owners_read on billing.laid_part for select to billing_api
  using (invoice_id in (select l.invoice_id from billing.laid_invoice l where l.consumer_id = (select auth.current_account_id())));
grant select, insert, update on billing.laid_invoice to billing_worker;
grant select, insert, delete on billing.laid_part to billing_worker;
grant select on billing.laid_invoice, billing.laid_part to billing_api;
