-- A payout of the platform's own balance at the processor to its bank. The platform, or a schedule, makes it there, and billing
-- books it: money of `cash` is in the ledger account `bank` then, and comes back if the bank returns it.
alter table billing.ledger_account drop constraint ledger_account_kind_check;
alter table billing.ledger_account add constraint ledger_account_kind_check check (kind in (
  'receivable', 'builder_earned', 'builder_payable', 'platform_fees', 'cash', 'processor_fees', 'in_transit', 'rounding',
  'consumer_balance', 'promotions', 'disputed', 'part_paid', 'refund_in_transit', 'bank'
));

create table billing.own_payout (
  own_payout_id uuid           primary key,
  processor     text           not null,
  object_id     text           not null, -- the processor's
  amount_cents  billing.micros not null check (amount_cents <> 0), -- below zero: the processor took money from the bank
  taken_cents   billing.micros not null, -- what has left the balance and not come back, as far as it is posted
  fee_cents     billing.micros not null, -- the processor's, as far as it is posted
  postings      integer        not null check (postings >= 0), -- none of one that had come back before billing knew it
  made_at       timestamptz    not null,
  unique (processor, object_id)
);
create index own_payout_made on billing.own_payout (made_at);

-- Only what changes with its money may change.
create function billing.guard_own_payout() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if new.postings <> old.postings + 1 then
    raise exception 'payout % of the platform changes without a posting', old.object_id using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_money before update on billing.own_payout for each row execute function billing.guard_own_payout();
create trigger append_only before delete or truncate on billing.own_payout
  for each statement execute function billing.refuse_change();

alter table billing.own_payout enable row level security;
create policy worker_settles on billing.own_payout to billing_worker using (true) with check (true);
grant select, insert, update (taken_cents, fee_cents, postings) on billing.own_payout to billing_worker;

alter table billing.webhook_event drop constraint webhook_event_object_kind_check;
alter table billing.webhook_event add constraint webhook_event_object_kind_check
  check (object_kind in ('account', 'customer', 'charge', 'refund', 'transfer', 'dispute', 'own_payout', 'other'));

-- The sandbox's own memory of such payouts.
create table sandbox.own_payout (
  payout_id    text        primary key,
  amount_cents bigint      not null check (amount_cents > 0),
  returns_at   timestamptz, -- from then on the bank has sent the money back
  created_at   timestamptz not null
);
create index own_payout_listed on sandbox.own_payout (created_at, payout_id);
grant select, insert on sandbox.own_payout to billing_worker;
