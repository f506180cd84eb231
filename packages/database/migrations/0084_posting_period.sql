-- The accounting period of each posting: the month, in UTC, in whose books it stands. It is written once, with the posting.
-- A close stands in the month that it bills, everything else in the month in which it happened. A month that is closed
-- takes no more postings, so what comes later stands in the first month that is open: also the invoice of a consumer whom
-- the close had set aside.
alter table billing.ledger_transaction add column period text check (period ~ '^\d{4}-(0[1-9]|1[0-2])$');

create function billing.period_of_posting(business_key text, occurred_at timestamptz) returns text
language sql stable security definer set search_path = pg_catalog
as $$
  select greatest(
    coalesce(
      (select i.period from billing.invoice i
       where business_key ~ '^close:[0-9a-f-]{36}$' and i.invoice_id = substr(business_key, 7, 36)::uuid),
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM')
    ),
    (select to_char((max(c.period) || '-01')::date + interval '1 month', 'YYYY-MM') from billing.closed_period c)
  )
$$;

-- What is there was posted when its month was open.
alter table billing.ledger_transaction disable trigger append_only;
update billing.ledger_transaction t set period = coalesce(
  (select i.period from billing.invoice i
   where t.business_key ~ '^close:[0-9a-f-]{36}$' and i.invoice_id = substr(t.business_key, 7, 36)::uuid),
  to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM'));
alter table billing.ledger_transaction enable trigger append_only;
alter table billing.ledger_transaction alter column period set not null;
create index ledger_transaction_of_period on billing.ledger_transaction (period);

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

-- The number of postings with which a month was closed, so that the ledger check sees one that came later.
alter table billing.closed_period add column postings bigint;
alter table billing.closed_period disable trigger append_only;
update billing.closed_period c
set postings = (select count(*) from billing.ledger_transaction t where t.period = c.period);
alter table billing.closed_period enable trigger append_only;
alter table billing.closed_period alter column postings set not null;

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

revoke all on function billing.period_of_posting(text, timestamptz), billing.set_posting_period(),
  billing.refuse_closed_period(), billing.count_closed_postings() from public;
grant execute on function billing.period_of_posting(text, timestamptz) to billing_worker;

-- Seals of form 2 cover the period. Seals that were there before stay as they are, and so do their hashes. Whoever changes the
-- form of a seal changes what its hash is compared with.
alter table billing.seal add column form smallint not null default 1 check (form in (1, 2));

create function billing.content_of_posting(of_transaction bigint, of_form smallint) returns bytea
language sql stable set search_path = pg_catalog
as $$
  select case of_form when 1 then billing.content_of_posting(of_transaction) else (
    select sha256(convert_to(jsonb_build_array(t.transaction_id, t.business_key, billing.utc_text(t.occurred_at), t.period, (
      select jsonb_agg(jsonb_build_array(e.place, a.kind, a.owner_id, e.amount_micros) order by e.place)
      from billing.ledger_entry e left join billing.ledger_account a using (ledger_account_id)
      where e.transaction_id = t.transaction_id
    ))::text, 'UTF8')) from billing.ledger_transaction t where t.transaction_id = of_transaction
  ) end
$$;
