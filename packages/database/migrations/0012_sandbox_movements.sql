-- What the sandbox processor keeps of money that moved, and of what shall go wrong with it. As in 0008: only its adapter
-- looks in here.

create table sandbox.movement (
  object_id         text        primary key,
  kind              text        not null check (kind in ('charge', 'refund', 'transfer')),
  idempotency_key   text        not null unique,
  attempt_id        text        not null unique, -- the caller's
  subject_id        text        not null, -- what the caller says it is for: an invoice, a refund, a payout
  party_id          text        not null, -- the customer, the charge that is refunded, the payout account
  payment_method_id text,
  amount_cents      bigint      not null check (amount_cents > 0),
  status            text        not null check (status in ('succeeded', 'failed')),
  failure_code      text,
  fee_cents         bigint      not null check (fee_cents between 0 and amount_cents),
  reverses_at       timestamptz, -- from then on a transfer that had succeeded has come back
  created_at        timestamptz not null,
  check ((status = 'failed') = (failure_code is not null)),
  check (reverses_at is null or status = 'succeeded')
);
create index movement_listed on sandbox.movement (kind, created_at, object_id);
create index movement_of_subject on sandbox.movement (subject_id);
create index refund_of_charge on sandbox.movement (party_id) where kind = 'refund';

create table sandbox.dispute (
  dispute_id   text        primary key,
  charge_id    text        not null references sandbox.movement,
  amount_cents bigint      not null check (amount_cents > 0),
  status       text        not null check (status in ('won', 'lost')),
  created_at   timestamptz not null
);
create index dispute_listed on sandbox.dispute (created_at, dispute_id);
create index dispute_of_charge on sandbox.dispute (charge_id);

-- What the operator wants to go wrong with the next orders, the oldest first.
create table sandbox.failure (
  failure_id uuid        primary key,
  place      bigint      generated always as identity, -- the order in which they came; the sandbox's clock may stand still
  kind       text        not null check (kind in ('charge', 'refund', 'transfer')),
  failure    text        not null,
  subject_id text, -- only with what is for this; null: with any
  times_left integer     not null check (times_left >= 0),
  created_at timestamptz not null
);
create index failure_to_come on sandbox.failure (kind, place) where times_left > 0;

grant select, insert on sandbox.movement, sandbox.dispute to billing_worker;
grant select, insert, update, delete on sandbox.failure to billing_worker;
