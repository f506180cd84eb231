-- The sandbox processor's own memory: what Stripe would keep on its side. Only the sandbox's adapter and pages look in here;
-- billing learns of it as of any processor, through the port and by webhook.
create schema sandbox;
grant usage on schema sandbox to billing_worker;

create table sandbox.account (
  account_id        text        primary key,
  idempotency_key   text        not null unique,
  reference         text        not null, -- what the caller says it is for
  details_submitted boolean     not null default false,
  payouts_enabled   boolean     not null default false,
  created_at        timestamptz not null,
  check (details_submitted or not payouts_enabled)
);

create table sandbox.customer (
  customer_id       text        primary key,
  idempotency_key   text        not null unique,
  reference         text        not null,
  -- The card on file; a new one takes the place of the old one.
  payment_method_id text        unique,
  brand             text,
  last4             text,
  exp_month         integer,
  exp_year          integer,
  created_at        timestamptz not null,
  check (num_nulls(payment_method_id, brand, last4, exp_month, exp_year) in (0, 5))
);

-- A hosted page's address. Whoever has the token may answer for the object, once; of the token only the hash is kept.
create table sandbox.link (
  token_hash bytea       primary key,
  kind       text        not null check (kind in ('onboarding', 'card_setup')),
  object_id  text        not null,
  return_url text        not null, -- checked when the link was made; the page leads nowhere else
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index link_of_object on sandbox.link (object_id, expires_at);

-- What has happened, until a webhook has told of it.
create table sandbox.event (
  event_id     text        primary key,
  type         text        not null,
  object_id    text        not null,
  created_at   timestamptz not null,
  delivered_at timestamptz
);
create index event_undelivered on sandbox.event (created_at) where delivered_at is null;

grant select, insert, update on sandbox.account, sandbox.customer, sandbox.event to billing_worker;
grant select, insert, update, delete on sandbox.link to billing_worker;
