-- The share of a builder in an open dispute: what it would give back if the dispute were lost now. It is set aside, so no
-- payout takes it. The row stays when the dispute is closed, and counts for nothing then.
create table billing.dispute_hold (
  dispute_id     uuid           not null,
  builder_id     uuid           not null,
  earning_micros billing.micros not null check (earning_micros > 0),
  primary key (dispute_id, builder_id)
);
create index dispute_hold_of_builder on billing.dispute_hold (builder_id);

alter table billing.dispute_hold enable row level security;
create policy worker_settles on billing.dispute_hold to billing_worker using (true) with check (true);
create trigger append_only before update or delete or truncate on billing.dispute_hold
  for each statement execute function billing.refuse_change();
grant select, insert on billing.dispute_hold to billing_worker;
