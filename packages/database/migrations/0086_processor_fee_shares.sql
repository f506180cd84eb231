-- The part of the processor's fee on a charge that a builder bears, with PROCESSOR_FEE_BEARER=builder. It is taken from what is
-- payable to it, once, when the charge pays its invoice.
create table billing.processor_fee_share (
  attempt_id    uuid           not null, -- the charge
  builder_id    uuid           not null,
  amount_micros billing.micros not null check (amount_micros > 0),
  shared_at     timestamptz    not null,
  payout_id     uuid, -- the payout that it lowered; null: none yet
  primary key (attempt_id, builder_id)
);
create index processor_fee_share_of_payout on billing.processor_fee_share (payout_id) where payout_id is not null;
create index processor_fee_share_not_paid_out on billing.processor_fee_share (builder_id) where payout_id is null;

alter table billing.processor_fee_share enable row level security;
create policy worker_settles on billing.processor_fee_share to billing_worker using (true) with check (true);
create policy builders_read on billing.processor_fee_share for select to billing_api
  using (builder_id = (select auth.current_account_id()));
create trigger append_only before delete or truncate on billing.processor_fee_share
  for each statement execute function billing.refuse_change();
create function billing.keep_fee_share() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if (old.attempt_id, old.builder_id, old.amount_micros, old.shared_at)
    is distinct from (new.attempt_id, new.builder_id, new.amount_micros, new.shared_at) then
    raise exception 'a share of a fee never changes' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger keep_share before update on billing.processor_fee_share
  for each row execute function billing.keep_fee_share();
grant select, insert, update (payout_id) on billing.processor_fee_share to billing_worker;
grant select on billing.processor_fee_share to billing_api;
