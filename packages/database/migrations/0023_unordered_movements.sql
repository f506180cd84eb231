-- Money that moved at the processor without an order of ours: refunds made by hand, disputes won after they were lost, and
-- transfers that came back in part. All of it is booked.

-- `processor`: made at the processor by hand. `reinstated`: a lost dispute that was won after all; its amount is below zero.
alter table billing.refund drop constraint refund_cause_check;
alter table billing.refund add constraint refund_cause_check
  check (cause in ('operator', 'dispute', 'processor', 'reinstated'));
alter table billing.refund drop constraint refund_amount_cents_check;
alter table billing.refund add constraint refund_amount_cents_check
  check (amount_cents <> 0 and (amount_cents < 0) = (cause = 'reinstated'));
alter table billing.refund add column processor text, add column object_id text, add column reinstates uuid unique;
alter table billing.refund add constraint refund_reinstates_check check ((cause = 'reinstated') = (reinstates is not null));
alter table billing.refund add constraint refund_object_check
  check ((cause = 'processor') = (object_id is not null) and (processor is null) = (object_id is null));
create unique index refund_of_object on billing.refund (processor, object_id) where object_id is not null;

-- A dispute that was won late keeps the refund that it had been.
alter table billing.dispute drop constraint dispute_check1;
alter table billing.dispute add constraint dispute_lost_is_refund check (status <> 'lost' or refund_id is not null);
alter table billing.dispute
  add column taken_cents billing.micros not null default 0, -- withdrawn by the processor and not given back
  add column fee_cents billing.micros, -- the processor's fee, as far as it is posted; null before it was first read
  add column fee_postings integer not null default 0;
grant update (taken_cents, fee_cents, fee_postings) on billing.dispute to billing_worker;

-- A part of a transfer that came back. It is owed to the builder again. Below zero where the rest came back later: then the
-- whole transfer counts as reversed, and its parts no more.
create table billing.transfer_return (
  attempt_id   uuid        not null,
  place        integer     not null check (place > 0),
  builder_id   uuid        not null,
  amount_cents billing.micros not null check (amount_cents <> 0),
  returned_at  timestamptz not null,
  payout_id    uuid, -- the payout that took it; null: none yet
  primary key (attempt_id, place)
);
create index transfer_return_of_payout on billing.transfer_return (payout_id) where payout_id is not null;
create index transfer_return_not_paid_out on billing.transfer_return (builder_id) where payout_id is null;

alter table billing.transfer_return enable row level security;
create policy worker_settles on billing.transfer_return to billing_worker using (true) with check (true);
create policy builders_read on billing.transfer_return for select to billing_api
  using (builder_id = (select auth.current_account_id()));
create trigger append_only before delete or truncate on billing.transfer_return
  for each statement execute function billing.refuse_change();
grant select, insert, update (payout_id) on billing.transfer_return to billing_worker;
grant select on billing.transfer_return to billing_api;
