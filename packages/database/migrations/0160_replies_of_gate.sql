-- First answers to Idempotency-Key on the gateway's own routes, as auth and billing keep theirs. `sealed` has the secrets of an
-- answer, which open by the credential of the caller alone.
create table gate.idempotency_reply (
  account_id uuid        not null,
  method     text        not null,
  path       text        not null,
  key        text        not null,
  body_hash  bytea       not null,
  status     integer     not null,
  headers    jsonb       not null,
  body       jsonb       not null,
  sealed     bytea,
  created_at timestamptz not null,
  primary key (account_id, method, path, key)
);
create index idempotency_reply_age on gate.idempotency_reply (created_at);

alter table gate.idempotency_reply enable row level security;
create policy own_replies on gate.idempotency_reply to ingest_gateway_api
  using (account_id = auth.current_account_id()) with check (account_id = auth.current_account_id());
create policy worker_prunes on gate.idempotency_reply to ingest_gateway_worker using (true);

grant select, insert on gate.idempotency_reply to ingest_gateway_api;
grant select, delete on gate.idempotency_reply to ingest_gateway_worker;

alter table auth.idempotency_reply add column sealed bytea;
alter table billing.idempotency_reply add column sealed bytea;
