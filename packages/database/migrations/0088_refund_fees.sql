-- The processor's fee on a refund that somebody made at the processor. The fee on an ordered refund is that of its attempt.
create table billing.foreign_refund_fee (
  refund_id uuid           primary key, -- of an invoice or of a top-up
  fee_cents billing.micros not null check (fee_cents > 0),
  posted_at timestamptz    not null
);
alter table billing.foreign_refund_fee enable row level security;
create policy worker_settles on billing.foreign_refund_fee to billing_worker using (true) with check (true);
create trigger append_only before update or delete or truncate on billing.foreign_refund_fee
  for each statement execute function billing.refuse_change();
grant select, insert on billing.foreign_refund_fee to billing_worker;
