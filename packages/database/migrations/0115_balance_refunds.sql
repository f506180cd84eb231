-- A refund of unused balance: money of top-ups goes back to the cards that paid it. It has a part per top-up, and a part is an
-- order to the processor as any other. Its money leaves the balance before the order goes, and stands in the ledger account
-- `refund_in_transit` until the outcome is known.
alter table billing.ledger_account drop constraint ledger_account_kind_check;
alter table billing.ledger_account add constraint ledger_account_kind_check check (kind in (
  'receivable', 'builder_earned', 'builder_payable', 'platform_fees', 'cash', 'processor_fees', 'in_transit', 'rounding',
  'consumer_balance', 'promotions', 'disputed', 'part_paid', 'refund_in_transit'
));
-- What is owed to a consumer stands below zero, as its balance.
alter table billing.ledger_account add constraint no_refund_is_sent_twice
  check (kind <> 'refund_in_transit' or balance_micros <= 0);

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

alter table billing.top_up_refund drop constraint top_up_refund_cause_check;
alter table billing.top_up_refund add constraint top_up_refund_cause_check
  check (cause in ('dispute', 'processor', 'reinstated', 'ordered'));

alter table billing.balance_refund enable row level security;
alter table billing.balance_refund_part enable row level security;
create policy worker_settles on billing.balance_refund to billing_worker using (true) with check (true);
create policy worker_settles on billing.balance_refund_part to billing_worker using (true) with check (true);
create policy owners_read on billing.balance_refund for select to billing_api
  using (account_id = (select auth.current_account_id()));
create policy owners_read on billing.balance_refund_part for select to billing_api
  using (account_id = (select auth.current_account_id()));
grant select, insert on billing.balance_refund to billing_worker;
grant select, insert, update (status, failure_code, settled_at) on billing.balance_refund_part to billing_worker;
grant select on billing.balance_refund, billing.balance_refund_part to billing_api;
