-- The balance of a consumer: money that pays its invoices before a card does. It consists of credits, such as one that the
-- operator granted. The ledger has the same money in the accounts consumer_balance, one per consumer.
alter table billing.ledger_account drop constraint ledger_account_kind_check;
alter table billing.ledger_account add constraint ledger_account_kind_check check (kind in (
  'receivable', 'builder_earned', 'builder_payable', 'platform_fees', 'cash', 'processor_fees', 'in_transit', 'rounding',
  'consumer_balance', 'promotions'
));
-- What is owed to a consumer stands below zero, as with a builder. A balance that was overdrawn would stand above it.
alter table billing.ledger_account add constraint balance_is_never_overdrawn
  check (kind <> 'consumer_balance' or balance_micros <= 0);

create table billing.balance_credit (
  credit_id    uuid           primary key,
  account_id   uuid           not null,
  amount_cents billing.micros not null check (amount_cents > 0),
  left_cents   billing.micros not null default 0 -- the sum of its moves
    constraint credit_is_never_overdrawn check (left_cents between 0 and amount_cents),
  reason       text           not null,
  expires_at   timestamptz,
  created_at   timestamptz    not null
);
create index balance_credit_of_account on billing.balance_credit (account_id, created_at);
create index balance_credit_to_expire on billing.balance_credit (expires_at) where left_cents > 0;

-- What each posting did to each credit: above zero what came in, below zero what was taken.
create table billing.balance_move (
  business_key text           not null, -- of the posting
  credit_id    uuid           not null references billing.balance_credit,
  account_id   uuid           not null,
  amount_cents billing.micros not null check (amount_cents <> 0),
  invoice_id   uuid, -- the invoice that was paid, or whose payment came back
  moved_at     timestamptz    not null,
  primary key (business_key, credit_id)
);
create index balance_move_of_credit on billing.balance_move (credit_id);
create index balance_move_of_invoice on billing.balance_move (invoice_id) where invoice_id is not null;

create function billing.follow_balance_move() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update billing.balance_credit set left_cents = left_cents + new.amount_cents where credit_id = new.credit_id;
  return null;
end
$$;
revoke all on function billing.follow_balance_move() from public;
create trigger follow_move after insert on billing.balance_move
  for each row execute function billing.follow_balance_move();
create trigger append_only before update or delete or truncate on billing.balance_move
  for each statement execute function billing.refuse_change();

-- The part of a refund that goes back to the balance. The rest goes back to the card.
alter table billing.refund add column balance_cents billing.micros not null default 0;
alter table billing.refund add constraint balance_part_of_refund
  check (balance_cents = 0 or balance_cents between 0 and amount_cents);

alter table billing.balance_credit enable row level security;
alter table billing.balance_move enable row level security;
create policy worker_settles on billing.balance_credit to billing_worker using (true) with check (true);
create policy worker_settles on billing.balance_move to billing_worker using (true) with check (true);
create policy owners_read on billing.balance_credit for select to billing_api
  using (account_id = (select auth.current_account_id()));
create policy owners_read on billing.balance_move for select to billing_api
  using (account_id = (select auth.current_account_id()));
grant select on billing.balance_credit to billing_worker, billing_api;
grant insert (credit_id, account_id, amount_cents, reason, expires_at, created_at) on billing.balance_credit to billing_worker;
-- Only to lock rows: the trigger changes what is left.
grant update (reason) on billing.balance_credit to billing_worker;
grant select, insert on billing.balance_move to billing_worker;
grant select on billing.balance_move to billing_api;
