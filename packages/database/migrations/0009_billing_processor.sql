-- What billing knows of its accounts at the payment processor, and the inbox of that processor's webhooks. The processor
-- holds the truth; these rows are what it said when it was last asked. One row an account and processor: what another
-- processor made is none of this one's business.

-- A builder's payout account. It stays the builder's: disconnecting marks the row, connecting again takes the mark away.
create table billing.connected_account (
  account_id           uuid        not null,
  processor            text        not null,
  processor_account_id text        not null,
  details_submitted    boolean     not null default false, -- the builder has gone through onboarding
  payouts_enabled      boolean     not null default false,
  disconnected_at      timestamptz,
  created_at           timestamptz not null,
  primary key (account_id, processor),
  unique (processor, processor_account_id)
);

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

-- A webhook is here before its sender is answered, once, however often it comes. It says only where to look again.
create table billing.webhook_event (
  processor   text        not null,
  event_id    text        not null,
  type        text        not null,
  object_kind text        not null check (object_kind in ('account', 'customer', 'other')),
  object_id   text        not null,
  received_at timestamptz not null,
  applied_at  timestamptz,
  attempts    integer     not null default 0,
  primary key (processor, event_id)
);
create index webhook_event_unapplied on billing.webhook_event (processor, attempts, received_at) where applied_at is null;

alter table billing.connected_account enable row level security;
create policy own_account on billing.connected_account to billing_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
create policy worker_follows on billing.connected_account to billing_worker using (true) with check (true);

alter table billing.processor_customer enable row level security;
create policy own_customer on billing.processor_customer to billing_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
create policy worker_follows on billing.processor_customer to billing_worker using (true) with check (true);

alter table billing.webhook_event enable row level security;
create policy worker_receives on billing.webhook_event to billing_worker using (true) with check (true);

-- An account may begin and end a connection; what the processor says of it only the worker writes down.
grant select, insert (account_id, processor, processor_account_id, created_at), update (disconnected_at)
  on billing.connected_account to billing_api;
grant select, update (details_submitted, payouts_enabled) on billing.connected_account to billing_worker;
grant select, insert (account_id, processor, processor_customer_id, created_at) on billing.processor_customer to billing_api;
grant select, update (payment_method_id, brand, last4, exp_month, exp_year) on billing.processor_customer to billing_worker;
grant select, insert, update (applied_at, attempts) on billing.webhook_event to billing_worker;
