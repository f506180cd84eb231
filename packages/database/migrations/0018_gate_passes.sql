-- Passes: keys that a consumer hands out. The gateway writes them and follows them; billing reads their tags.

-- Grows with each change that gateways keep in memory, see auth.changed_seq.
create sequence gate.pass_seq as bigint;

create table gate.pass (
  pass_id             uuid        primary key,
  account_id          uuid        not null, -- the account that pays
  name                text        not null,
  key_hash            bytea       not null unique check (octet_length(key_hash) = 32),
  prefix              text        not null,
  last_four           text        not null,
  old_key_hash        bytea       check (octet_length(old_key_hash) = 32), -- after a rotation, until old_key_until
  old_key_until       timestamptz,
  tool_ids            text[]      check (cardinality(tool_ids) between 1 and 100), -- null: every tool
  cap_micros          bigint      check (cap_micros > 0),
  cap_window          text        check (cap_window in ('day', 'month', 'total')),
  per_call_max_micros bigint      check (per_call_max_micros > 0),
  approve_above_micros bigint     check (approve_above_micros > 0), -- a call that can come to more needs its owner's approval
  tags                jsonb       not null default '{}' check (jsonb_typeof(tags) = 'object'),
  is_paused           boolean     not null default false,
  created_at          timestamptz not null,
  expires_at          timestamptz,
  revoked_at          timestamptz,
  changed_seq         bigint      not null default nextval('gate.pass_seq'),
  -- Since when it has its cap: until everything that gateways took before is counted, the cap's row follows the rollups.
  cap_changed_at      timestamptz,
  check ((old_key_hash is null) = (old_key_until is null)),
  check ((cap_micros is null) = (cap_window is null)),
  check ((cap_micros is null) = (cap_changed_at is null))
);
create unique index pass_by_old_key on gate.pass (old_key_hash) where old_key_hash is not null;
create index pass_of_account on gate.pass (account_id, created_at desc, pass_id desc) where revoked_at is null;
create index pass_changed on gate.pass (changed_seq);
create index pass_cap_changed on gate.pass (cap_changed_at) where cap_changed_at is not null;

-- Changes are numbered and announced in the transaction that makes them.
create function gate.number_pass() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.changed_seq := nextval('gate.pass_seq');
  return new;
end $$;
create function gate.announce_pass() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('passes_changed', '');
  return null;
end $$;
revoke execute on function gate.number_pass(), gate.announce_pass() from public;
create trigger number_change before update on gate.pass for each row execute function gate.number_pass();
create trigger announce_change after insert or update on gate.pass
  for each statement execute function gate.announce_pass();

-- First answers to Idempotency-Key on the gateway's own routes, as auth and billing keep theirs.
create table gate.idempotency_reply (
  account_id uuid        not null,
  method     text        not null,
  path       text        not null,
  key        text        not null,
  body_hash  bytea       not null,
  status     integer     not null,
  headers    jsonb       not null,
  body       jsonb       not null,
  sealed     bytea, -- see auth.idempotency_reply
  created_at timestamptz not null,
  primary key (account_id, method, path, key)
);
create index idempotency_reply_age on gate.idempotency_reply (created_at);

alter table gate.pass enable row level security;
alter table gate.idempotency_reply enable row level security;
create policy own_rows on gate.pass to ingest_gateway_api using (account_id = (select auth.current_account_id()));
create policy all_rows on gate.pass to ingest_gateway_worker using (true);
create policy tags_for_billing on gate.pass for select to billing_api using (account_id = (select auth.current_account_id()));
create policy own_replies on gate.idempotency_reply to ingest_gateway_api
  using (account_id = auth.current_account_id()) with check (account_id = auth.current_account_id());
create policy worker_prunes on gate.idempotency_reply to ingest_gateway_worker using (true);

-- Usage by the tags of passes: billing reads them, each account its own.
create view gate.pass_tags_v1 with (security_invoker = true) as
select pass_id, account_id, tags from gate.pass;

grant select, insert, update on gate.pass to ingest_gateway_api;
grant select on gate.pass to ingest_gateway_worker;
grant usage on sequence gate.pass_seq to ingest_gateway_api;
grant select on sequence gate.pass_seq to ingest_gateway_worker;
grant select, insert on gate.idempotency_reply to ingest_gateway_api;
grant select, delete on gate.idempotency_reply to ingest_gateway_worker;
grant select (pass_id, account_id, tags) on gate.pass to billing_api;
grant select on gate.pass_tags_v1 to billing_api;
