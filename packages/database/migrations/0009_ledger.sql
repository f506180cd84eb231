-- The ledger: double entry in whole micro-dollars. What it promises is promised here, by constraints, triggers and grants,
-- so no code above it has to be right for it: a transaction sums to zero, is posted once, and is never changed; an account's
-- balance is the sum of its entries.

-- An amount of any size: a price and a quantity may each have twelve digits before the point. Never a fraction, never rounded.
create domain billing.micros as numeric
  check (scale(value) = 0 and value > '-Infinity' and value < 'Infinity'); -- NaN is above all

create table billing.ledger_account (
  ledger_account_id bigint generated always as identity primary key,
  kind              text not null check (kind in (
    'receivable', 'builder_earned', 'builder_payable', 'platform_fees', 'cash', 'processor_fees', 'in_transit', 'rounding',
    'consumer_balance', 'promotions', 'disputed', 'part_paid', 'refund_in_transit', 'bank'
  )),
  owner_id          uuid, -- null: the platform's own
  -- Debits less credits: what a consumer owes stands above zero, what is owed to a builder or a consumer below.
  balance_micros    billing.micros not null default 0,
  unique nulls not distinct (kind, owner_id),
  constraint balance_is_never_overdrawn check (kind <> 'consumer_balance' or balance_micros <= 0),
  constraint no_refund_is_sent_twice check (kind <> 'refund_in_transit' or balance_micros <= 0)
);
create index ledger_account_of_owner on billing.ledger_account (owner_id) where owner_id is not null;

create table billing.ledger_transaction (
  transaction_id bigint generated always as identity primary key,
  business_key   text not null unique, -- names the event, as 'close:<invoice id>': it happens once
  occurred_at    timestamptz not null,
  period         text not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$') -- in whose books it stands
);
create index ledger_transaction_of_period on billing.ledger_transaction (period);

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
-- locked in the order of their ids, so that two posters wait for each other rather than deadlock. The accounts are named by an
-- array: as a join, the planner may read all accounts of the platform for the few that are posted to, and a close does so
-- batch after batch.
create function billing.post_entries() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  account_ids bigint[] := array(select distinct n.ledger_account_id from new_entry n);
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
  perform from billing.ledger_account a where a.ledger_account_id = any (account_ids)
  order by a.ledger_account_id for no key update;
  update billing.ledger_account a set balance_micros = a.balance_micros + moved.micros
  from (select n.ledger_account_id, sum(n.amount_micros) as micros from new_entry n group by 1) moved
  where a.ledger_account_id = moved.ledger_account_id and a.ledger_account_id = any (account_ids);
  get diagnostics accounts = row_count;
  if accounts <> cardinality(account_ids) then
    raise exception 'there is no such ledger account' using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
create trigger post_entries after insert on billing.ledger_entry
  referencing new table as new_entry for each statement execute function billing.post_entries();

create trigger append_only before update or delete or truncate on billing.ledger_transaction
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.ledger_entry
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.ledger_account
  for each statement execute function billing.refuse_change();
-- Only post_entries, which is a trigger itself, moves a balance, and nobody at first hand.
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

-- Months that are closed, in order, each once: what is counted for one of these from then on is late. The number of postings
-- with which it was closed is kept, so that the ledger check sees one that came later.
create table billing.closed_period (
  period    text primary key check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  closed_at timestamptz not null,
  postings  bigint not null
);
create trigger append_only before update or delete or truncate on billing.closed_period
  for each statement execute function billing.refuse_change();

-- The accounting period of each posting: the month, in UTC, in whose books it stands. It is written once, with the posting.
-- A close stands in the month that it bills, everything else in the month in which it happened. A month that is closed
-- takes no more postings, so what comes later stands in the first month that is open: also the invoice of a consumer whom
-- the close had set aside.
--
-- In a language that keeps its plans: the function runs for each posting of a close, and planning took most of its time. Plans
-- are kept while the tables grow, so none may be one that reads a table whole.
create function billing.period_of_posting(business_key text, occurred_at timestamptz) returns text
language plpgsql stable security definer set search_path = pg_catalog set enable_seqscan = off
as $$
declare
  invoiced text;
begin
  if business_key ~ '^close:[0-9a-f-]{36}$' then
    invoiced := (select i.period from billing.invoice i where i.invoice_id = substr(business_key, 7, 36)::uuid);
  end if;
  return greatest(
    coalesce(invoiced, to_char(occurred_at at time zone 'UTC', 'YYYY-MM')),
    (select to_char((max(c.period) || '-01')::date + interval '1 month', 'YYYY-MM') from billing.closed_period c)
  );
end
$$;

create function billing.set_posting_period() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  new.period := billing.period_of_posting(new.business_key, new.occurred_at);
  return new;
end
$$;
create trigger set_period before insert on billing.ledger_transaction
  for each row execute function billing.set_posting_period();

-- Postings of a month share its lock, and its close takes the lock alone. So the close counts every posting of its month,
-- and a posting that waited for the close sees it and is refused. It is tried again, and then stands in the next month.
create function billing.lock_of_period(period text) returns bigint
language sql immutable set search_path = pg_catalog
return hashtextextended('billing.period:' || period, 0);

create function billing.refuse_closed_period() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  posted text;
begin
  for posted in select distinct n.period from new_transaction n order by 1 loop
    perform pg_advisory_xact_lock_shared(billing.lock_of_period(posted));
    if exists (select from billing.closed_period c where c.period = posted) then
      raise exception 'period % is closed and takes no more postings', posted using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end
$$;
create trigger open_period after insert on billing.ledger_transaction
  referencing new table as new_transaction for each statement execute function billing.refuse_closed_period();

create function billing.count_closed_postings() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform pg_advisory_xact_lock(billing.lock_of_period(new.period));
  new.postings := (select count(*) from billing.ledger_transaction t where t.period = new.period);
  return new;
end
$$;
create trigger count_postings before insert on billing.closed_period
  for each row execute function billing.count_closed_postings();

-- Once a day the books are proved; here is when it is next, and what the last one found.
create table billing.ledger_check (
  only_row    boolean     primary key default true check (only_row),
  due_at      timestamptz not null, -- while one is under way: when another may take its place
  checked_at  timestamptz,
  differences integer -- checks that did not hold
);

alter table billing.ledger_account enable row level security;
alter table billing.ledger_transaction enable row level security;
alter table billing.ledger_entry enable row level security;
alter table billing.closed_period enable row level security;
alter table billing.ledger_check enable row level security;
create policy worker_posts on billing.ledger_account to billing_worker using (true) with check (true);
create policy worker_posts on billing.ledger_transaction to billing_worker using (true) with check (true);
create policy worker_posts on billing.ledger_entry to billing_worker using (true) with check (true);
create policy owners_read on billing.ledger_account for select to billing_api
  using (owner_id = (select auth.current_account_id()));
create policy owners_read on billing.ledger_entry for select to billing_api
  using (ledger_account_id in (
    select a.ledger_account_id from billing.ledger_account a where a.owner_id = (select auth.current_account_id())
  ));
create policy worker_closes on billing.closed_period to billing_worker using (true) with check (true);
create policy accounts_read on billing.closed_period for select to billing_api
  using ((select auth.current_account_id()) is not null);
create policy worker_checks on billing.ledger_check to billing_worker using (true) with check (true);

revoke all on function billing.require_zero_sum(), billing.post_entries(), billing.period_of_posting(text, timestamptz),
  billing.set_posting_period(), billing.refuse_closed_period(), billing.count_closed_postings() from public;
grant execute on function billing.period_of_posting(text, timestamptz) to billing_worker;
grant select on billing.ledger_account, billing.ledger_transaction, billing.ledger_entry to billing_worker;
grant insert (kind, owner_id) on billing.ledger_account to billing_worker;
grant insert (business_key, occurred_at) on billing.ledger_transaction to billing_worker;
grant insert on billing.ledger_entry to billing_worker;
grant select on billing.ledger_account, billing.ledger_entry to billing_api;
grant select, insert on billing.closed_period to billing_worker;
grant select on billing.closed_period to billing_api;
grant select, insert, update on billing.ledger_check to billing_worker;
