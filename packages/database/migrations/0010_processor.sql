-- Accounts at the payment processor as billing knows them, the orders that billing gives it, and the inbox of its webhooks. The
-- processor holds the truth; these rows are what it said when it was last asked. One row an account and processor: what
-- another processor made is none of this one's business.

-- A builder's payout account. It stays the builder's: disconnecting marks the row, connecting again takes the mark away. One
-- that is gone at the processor is replaced by a new one then.
create table billing.connected_account (
  account_id           uuid        not null,
  processor            text        not null,
  processor_account_id text        not null,
  details_submitted    boolean     not null default false, -- the builder has gone through onboarding
  payouts_enabled      boolean     not null default false,
  disconnected_at      timestamptz,
  created_at           timestamptz not null,
  country              text        check (country ~ '^[A-Z]{2}$'), -- as the builder named it; null: the platform's was taken
  requirements         text[]      not null default '{}', -- the processor still asks for these
  disabled_reason      text,
  bank_failure_code    text, -- the code of the last payout from it that its bank refused
  bank_failure_at      timestamptz,
  primary key (account_id, processor),
  unique (processor, processor_account_id),
  check ((bank_failure_code is null) = (bank_failure_at is null))
);
create index connected_account_bank_failure on billing.connected_account (processor) where bank_failure_at is not null;

-- Payout accounts that a builder had before. Movements to them stay in the books.
create table billing.past_payout_account (
  processor            text not null,
  processor_account_id text not null,
  account_id           uuid not null,
  primary key (processor, processor_account_id)
);
create trigger append_only before update or delete or truncate on billing.past_payout_account
  for each statement execute function billing.refuse_change();

-- A consumer, as who can be charged, with the card on file if there is one.
create table billing.processor_customer (
  account_id            uuid        not null,
  processor             text        not null,
  processor_customer_id text        not null,
  payment_method_id     text,
  brand                 text,
  last4                 text,
  exp_month             integer,
  exp_year              integer,
  created_at            timestamptz not null,
  primary key (account_id, processor),
  unique (processor, processor_customer_id),
  check (num_nulls(payment_method_id, brand, last4, exp_month, exp_year) in (0, 5))
);

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

create view billing.secured_account_v1 as select account_id, unsecured_since, changed_seq from billing.secured_account;

-- A webhook is here before its sender is answered, once, however often it comes. It says only where to look again.
create table billing.webhook_event (
  processor   text        not null,
  event_id    text        not null,
  type        text        not null,
  object_kind text        not null check (
    object_kind in ('account', 'customer', 'charge', 'refund', 'transfer', 'dispute', 'own_payout', 'other')
  ),
  object_id   text        not null,
  received_at timestamptz not null,
  applied_at  timestamptz,
  attempts    integer     not null default 0,
  -- When the processor made the event, by its own word. Reconcile compares the inbox with the processor's list of a time, and
  -- a webhook may come days later than its event.
  created_at  timestamptz not null,
  primary key (processor, event_id)
);
create index webhook_event_unapplied on billing.webhook_event (processor, attempts, received_at) where applied_at is null;
create index webhook_event_of_time on billing.webhook_event (processor, created_at, event_id);

-- Webhooks may be lost. Once a day everything that the processor may have reported is read again, in slices; here is how far that is.
create table billing.processor_sweep (
  processor  text        primary key,
  due_at     timestamptz not null, -- when it begins, or goes on
  after_kind text        not null default '',
  after_id   text        not null default '', -- all up to this one have been read
  swept_at   timestamptz -- when the last whole one ended
);

-- One order to the processor, and what is known of it. It is a row before it is given; what comes of it is written down with
-- its ledger posting, in one transaction. `unknown` from before the call until the processor has said what came of it: it is
-- looked up, never given again under another key as long as it may have been carried out.
create table billing.processor_attempt (
  attempt_id        uuid        primary key,
  kind              text        not null check (kind in ('charge', 'refund', 'transfer')),
  subject_id        uuid        not null, -- the invoice or the top-up, the refund, the payout
  number            integer     not null check (number > 0),
  processor         text        not null,
  idempotency_key   text        not null unique, -- covers the amount
  amount_cents      billing.micros not null check (amount_cents > 0),
  party_id          text        not null, -- at the processor: the customer, the charge that is refunded, the payout account
  payment_method_id text,
  status            text        not null check (status in ('unknown', 'succeeded', 'failed', 'reversed')),
  object_id         text, -- at the processor
  failure_code      text,
  fee_cents         billing.micros not null default 0, -- the processor's part
  started_at        timestamptz not null,
  begun_at          timestamptz not null default clock_timestamp(), -- uses the machine's clock, not the sandbox's
  look_at           timestamptz, -- when an unknown outcome is looked up next
  settled_at        timestamptz,
  other_amount_cents bigint, -- at the processor, if it is not the ordered one: an alarm for the operator until it is right
  of_top_up         boolean     not null default false, -- a charge pays a top-up, or a refund gives one back
  unique (kind, subject_id, number),
  check ((status = 'unknown') = (settled_at is null)),
  check (status in ('unknown', 'failed') or object_id is not null),
  constraint top_ups_are_charged_and_refunded check (not of_top_up or kind in ('charge', 'refund'))
);
-- One order at a time for each subject: two at once cannot both be given.
create unique index attempt_unsettled on billing.processor_attempt (kind, subject_id) where status = 'unknown';
create index attempt_to_look_up on billing.processor_attempt (processor, look_at) where status = 'unknown';
create unique index attempt_of_object on billing.processor_attempt (processor, object_id) where object_id is not null;
create index attempt_settled on billing.processor_attempt (processor, settled_at) where settled_at is not null;
create index attempt_of_other_amount on billing.processor_attempt (attempt_id) where other_amount_cents is not null;
create trigger append_only before delete or truncate on billing.processor_attempt
  for each statement execute function billing.refuse_change();

create table billing.own_payout (
  own_payout_id uuid           primary key,
  processor     text           not null,
  object_id     text           not null, -- the processor's
  amount_cents  billing.micros not null check (amount_cents <> 0), -- below zero: the processor took money from the bank
  taken_cents   billing.micros not null, -- the posted part that has left the balance and not come back
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

alter table billing.connected_account enable row level security;
alter table billing.past_payout_account enable row level security;
alter table billing.processor_customer enable row level security;
alter table billing.secured_account enable row level security;
alter table billing.webhook_event enable row level security;
alter table billing.processor_sweep enable row level security;
alter table billing.processor_attempt enable row level security;
alter table billing.own_payout enable row level security;
create policy own_account on billing.connected_account to billing_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
create policy worker_follows on billing.connected_account to billing_worker using (true) with check (true);
create policy workers on billing.past_payout_account to billing_worker using (true) with check (true);
create policy own_customer on billing.processor_customer to billing_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
create policy worker_follows on billing.processor_customer to billing_worker using (true) with check (true);
create policy worker_receives on billing.webhook_event to billing_worker using (true) with check (true);
create policy worker_sweeps on billing.processor_sweep to billing_worker using (true) with check (true);
create policy worker_settles on billing.processor_attempt to billing_worker using (true) with check (true);
create policy worker_settles on billing.own_payout to billing_worker using (true) with check (true);

-- An account may begin and end a connection; what the processor says of it only the worker writes down.
grant select, insert (account_id, processor, processor_account_id, created_at, country), update (disconnected_at)
  on billing.connected_account to billing_api;
grant select, update (processor_account_id, details_submitted, payouts_enabled, country, requirements, disabled_reason,
  bank_failure_code, bank_failure_at) on billing.connected_account to billing_worker;
grant select, insert on billing.past_payout_account to billing_worker;
grant select, insert (account_id, processor, processor_customer_id, created_at) on billing.processor_customer to billing_api;
grant select, update (payment_method_id, brand, last4, exp_month, exp_year) on billing.processor_customer to billing_worker;
grant select, insert, update (applied_at, attempts) on billing.webhook_event to billing_worker;
grant select on billing.secured_account_v1 to ingest_gateway_worker;
grant select, insert, update on billing.processor_sweep to billing_worker;
grant select, insert, update (status, object_id, failure_code, fee_cents, look_at, settled_at, other_amount_cents)
  on billing.processor_attempt to billing_worker;
grant select on billing.processor_attempt to billing_api;
grant select, insert, update (taken_cents, fee_cents, postings) on billing.own_payout to billing_worker;
