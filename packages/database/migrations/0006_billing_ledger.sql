-- The ledger: double entry in whole micro-dollars. What it promises is promised here, by constraints, triggers and grants,
-- so no code above it has to be right for it: a transaction sums to zero, is posted once, and is never changed; an account's
-- balance is the sum of its entries.

-- Of any size: a price and a quantity may each have twelve digits before the point. Never a fraction, never rounded.
create domain billing.micros as numeric
  check (scale(value) = 0 and value > '-Infinity' and value < 'Infinity'); -- NaN is above all

create table billing.ledger_account (
  ledger_account_id bigint generated always as identity primary key,
  kind              text not null check (kind in (
    'receivable', 'builder_earned', 'builder_payable', 'platform_fees', 'cash', 'processor_fees', 'in_transit', 'rounding'
  )),
  owner_id          uuid, -- null: the platform's own
  -- Debits less credits: what a consumer owes stands above zero, what is owed to a builder below.
  balance_micros    billing.micros not null default 0,
  unique nulls not distinct (kind, owner_id)
);
create index ledger_account_of_owner on billing.ledger_account (owner_id) where owner_id is not null;

create table billing.ledger_transaction (
  transaction_id bigint generated always as identity primary key,
  business_key   text not null unique, -- what happened, as 'close:<invoice id>': it happens once
  occurred_at    timestamptz not null
);

-- Without foreign keys: post_entries checks both references for all rows at once, and nothing is ever deleted. As foreign
-- keys, a look-up a row, they took 1.2 of the 1.3 s in which a close posted 10,000 entries.
create table billing.ledger_entry (
  transaction_id    bigint not null,
  place             integer not null check (place > 0),
  ledger_account_id bigint not null,
  amount_micros     billing.micros not null check (amount_micros <> 0), -- a debit above zero, a credit below
  primary key (transaction_id, place)
);
create index ledger_entry_of_account on billing.ledger_entry (ledger_account_id);

-- At commit, not before: the transaction has to be there before its entries can be.
create function billing.require_zero_sum() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  entries bigint;
  total numeric;
begin
  select count(*), coalesce(sum(amount_micros), 0) into entries, total
  from billing.ledger_entry where transaction_id = new.transaction_id;
  if entries < 2 or total <> 0 then
    raise exception 'ledger transaction % does not balance: % entries, sum %', new.business_key, entries, total
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger sums_to_zero after insert on billing.ledger_transaction
  deferrable initially deferred for each row execute function billing.require_zero_sum();

-- All entries of a transaction come in one statement, so the check at commit sees them all, whenever it is made to run
-- (`set constraints`), and nothing can be added to what was posted. Balances follow in the same statement; their rows are
-- locked in the order of their ids, so that two posters wait for each other rather than deadlock.
create function billing.post_entries() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  accounts bigint;
begin
  if exists (select n.transaction_id from new_entry n except select t.transaction_id from billing.ledger_transaction t
             where t.transaction_id in (select n.transaction_id from new_entry n)) then
    raise exception 'there is no such ledger transaction' using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from (select n.transaction_id, count(*) as entries from new_entry n group by 1) posted
    where posted.entries <> (select count(*) from billing.ledger_entry e where e.transaction_id = posted.transaction_id)
  ) then
    raise exception 'a posted ledger transaction takes no more entries' using errcode = 'check_violation';
  end if;
  perform from billing.ledger_account a
  where a.ledger_account_id in (select n.ledger_account_id from new_entry n)
  order by a.ledger_account_id for no key update;
  update billing.ledger_account a set balance_micros = a.balance_micros + moved.micros
  from (select n.ledger_account_id, sum(n.amount_micros) as micros from new_entry n group by 1) moved
  where a.ledger_account_id = moved.ledger_account_id;
  get diagnostics accounts = row_count;
  if accounts <> (select count(distinct n.ledger_account_id) from new_entry n) then
    raise exception 'there is no such ledger account' using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
create trigger post_entries after insert on billing.ledger_entry
  referencing new table as new_entry for each statement execute function billing.post_entries();

-- Grants keep the services from changing anything; this keeps everybody else, the owner at a prompt included.
create function billing.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'insufficient_privilege';
end
$$;
create trigger append_only before update or delete or truncate on billing.ledger_transaction
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.ledger_entry
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.ledger_account
  for each statement execute function billing.refuse_change();
-- A balance is moved by post_entries, which is a trigger itself, and by nobody at first hand.
create trigger balance_follows_entries before update on billing.ledger_account
  for each statement when (pg_trigger_depth() = 0) execute function billing.refuse_change();
create function billing.begin_empty() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  new.balance_micros := 0;
  return new;
end
$$;
create trigger begins_empty before insert on billing.ledger_account
  for each row execute function billing.begin_empty();

alter table billing.ledger_account enable row level security;
alter table billing.ledger_transaction enable row level security;
alter table billing.ledger_entry enable row level security;
create policy worker_posts on billing.ledger_account to billing_worker using (true) with check (true);
create policy worker_posts on billing.ledger_transaction to billing_worker using (true) with check (true);
create policy worker_posts on billing.ledger_entry to billing_worker using (true) with check (true);
create policy owners_read on billing.ledger_account for select to billing_api
  using (owner_id = (select auth.current_account_id()));
create policy owners_read on billing.ledger_entry for select to billing_api
  using (ledger_account_id in (
    select a.ledger_account_id from billing.ledger_account a where a.owner_id = (select auth.current_account_id())
  ));

revoke all on function billing.require_zero_sum(), billing.post_entries() from public;
grant select on billing.ledger_account, billing.ledger_transaction, billing.ledger_entry to billing_worker;
grant insert (kind, owner_id) on billing.ledger_account to billing_worker;
grant insert (business_key, occurred_at) on billing.ledger_transaction to billing_worker;
grant insert on billing.ledger_entry to billing_worker;
grant select on billing.ledger_account, billing.ledger_entry to billing_api;
