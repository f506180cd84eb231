-- The gate may refuse calls of accounts that are past due. One row per account that ever was: whether an invoice of it is past
-- due or uncollectible now. Gateways follow by changed_seq.
create sequence billing.past_due_seq as bigint;
create table billing.past_due_account (
  account_id  uuid    primary key,
  is_past_due boolean not null,
  changed_seq bigint  not null default nextval('billing.past_due_seq')
);
create index past_due_account_changed on billing.past_due_account (changed_seq);
alter table billing.past_due_account enable row level security;

-- The row of the account is locked before its invoices are read. Else two payments that commit at once would each see the
-- other's invoice unpaid, and the account would stay past due for ever. Rows are locked in the order of their ids.
create function billing.follow_past_due() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  changed uuid[];
begin
  select array_agg(distinct n.consumer_id) into changed from after n join before o using (invoice_id)
    where (n.status in ('past_due', 'uncollectible')) <> (o.status in ('past_due', 'uncollectible'));
  if changed is null then
    return null;
  end if;
  insert into billing.past_due_account (account_id, is_past_due)
    select id, false from unnest(changed) as id order by id on conflict do nothing;
  perform from billing.past_due_account where account_id = any (changed) order by account_id for update;
  update billing.past_due_account p set is_past_due = not p.is_past_due, changed_seq = nextval('billing.past_due_seq')
    where p.account_id = any (changed) and p.is_past_due <> exists (select from billing.invoice i
      where i.consumer_id = p.account_id and i.status in ('past_due', 'uncollectible'));
  perform pg_notify('past_due_accounts_changed', '');
  return null;
end
$$;
create trigger follow_past_due after update on billing.invoice
  referencing old table as before new table as after
  for each statement execute function billing.follow_past_due();

insert into billing.past_due_account (account_id, is_past_due)
  select distinct consumer_id, true from billing.invoice where status in ('past_due', 'uncollectible');

create view billing.past_due_account_v1 as select account_id, is_past_due, changed_seq from billing.past_due_account;
grant select on billing.past_due_account_v1 to ingest_gateway_worker;
