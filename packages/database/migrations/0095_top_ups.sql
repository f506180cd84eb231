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
  check ((status = 'succeeded') = (succeeded_at is not null)),
  check (failure_code is null or status = 'failed')
);
create index top_up_of_account on billing.top_up (account_id, created_at desc, top_up_id desc);

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

-- The credit of a top-up has its id.
alter table billing.balance_credit add column top_up_id uuid references billing.top_up;
alter table billing.balance_credit add constraint credit_of_top_up
  check (top_up_id is null or (top_up_id = credit_id and expires_at is null));

-- A charge pays a top-up and not an invoice, or a refund gives a top-up back.
alter table billing.processor_attempt add column of_top_up boolean not null default false;
alter table billing.processor_attempt add constraint top_ups_are_charged_and_refunded
  check (not of_top_up or kind in ('charge', 'refund'));

-- Money of a top-up that went back to its card. The balance gives it; what was spent already nobody gives.
create table billing.top_up_refund (
  refund_id     uuid           primary key,
  top_up_id     uuid           not null references billing.top_up,
  account_id    uuid           not null,
  amount_cents  billing.micros not null check (amount_cents <> 0), -- below zero: it came back to us
  balance_cents billing.micros not null, -- the part of it that the balance gave
  cause         text           not null check (cause in ('dispute', 'processor', 'reinstated')),
  processor     text,
  object_id     text, -- of a refund that was made at the processor
  reinstates    uuid unique references billing.top_up_refund, -- the refund that this one undoes
  created_at    timestamptz    not null,
  check ((amount_cents < 0) = (reinstates is not null)),
  check (balance_cents between least(amount_cents, 0) and greatest(amount_cents, 0))
);
create index top_up_refund_of_top_up on billing.top_up_refund (top_up_id);
create index top_up_refund_of_account on billing.top_up_refund (account_id);
create trigger append_only before update or delete or truncate on billing.top_up_refund
  for each statement execute function billing.refuse_change();

-- A dispute is of the charge of an invoice or of a top-up.
alter table billing.dispute alter column invoice_id drop not null;
alter table billing.dispute add column top_up_id uuid references billing.top_up;
alter table billing.dispute add constraint dispute_of_one_charge check (num_nonnulls(invoice_id, top_up_id) = 1);
create index dispute_of_top_up on billing.dispute (top_up_id) where top_up_id is not null;

alter table billing.top_up enable row level security;
alter table billing.top_up_refund enable row level security;
create policy worker_settles on billing.top_up to billing_worker using (true) with check (true);
create policy worker_settles on billing.top_up_refund to billing_worker using (true) with check (true);
create policy owners_read on billing.top_up for select to billing_api
  using (account_id = (select auth.current_account_id()));
create policy owners_read on billing.top_up_refund for select to billing_api
  using (account_id = (select auth.current_account_id()));
-- Only that a dispute of its own top-up is open, which keeps its money from being spent.
create policy owners_read on billing.dispute for select to billing_api
  using (top_up_id in (select t.top_up_id from billing.top_up t where t.account_id = (select auth.current_account_id())));
grant select, insert, update (status, failure_code, succeeded_at) on billing.top_up to billing_worker;
grant select, insert on billing.top_up_refund to billing_worker;
grant select on billing.top_up, billing.top_up_refund to billing_api;
grant select (dispute_id, top_up_id, status) on billing.dispute to billing_api;
grant insert (top_up_id) on billing.balance_credit to billing_worker;
