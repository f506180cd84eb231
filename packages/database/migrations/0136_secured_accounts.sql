-- The gate may bound what accounts without a payment method owe. One row per account that ever had one on file, at whichever
-- processor. Gateways follow by changed_seq; an account without a row never had one.
create sequence billing.secured_account_seq as bigint;
create table billing.secured_account (
  account_id      uuid        primary key,
  unsecured_since timestamptz, -- null: a payment method is on file
  changed_seq     bigint      not null default nextval('billing.secured_account_seq')
);
create index secured_account_changed on billing.secured_account (changed_seq);
create index secured_account_lost on billing.secured_account (unsecured_since) where unsecured_since is not null;
alter table billing.secured_account enable row level security;

-- The row is locked before the payment methods are read: two processors may change theirs at once. The time only has to
-- differ from that of the last loss, so it is the machine's, in the milliseconds that gateways compare.
create function billing.follow_secured_account() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  is_secured boolean;
begin
  insert into billing.secured_account (account_id) values (new.account_id) on conflict do nothing;
  perform from billing.secured_account where account_id = new.account_id for update;
  is_secured := exists (select from billing.processor_customer p
    where p.account_id = new.account_id and p.payment_method_id is not null);
  update billing.secured_account
    set unsecured_since = case when not is_secured then date_trunc('milliseconds', clock_timestamp()) end,
      changed_seq = nextval('billing.secured_account_seq')
    where account_id = new.account_id and (unsecured_since is null) <> is_secured;
  perform pg_notify('secured_accounts_changed', '');
  return null;
end
$$;
create trigger follow_first_method after insert on billing.processor_customer
  for each row when (new.payment_method_id is not null) execute function billing.follow_secured_account();
create trigger follow_method after update of payment_method_id on billing.processor_customer
  for each row when (old.payment_method_id is distinct from new.payment_method_id)
  execute function billing.follow_secured_account();

insert into billing.secured_account (account_id)
  select distinct account_id from billing.processor_customer where payment_method_id is not null;

create view billing.secured_account_v1 as select account_id, unsecured_since, changed_seq from billing.secured_account;
grant select on billing.secured_account_v1 to ingest_gateway_worker;
