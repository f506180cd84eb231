-- Accounts, sessions, signing keys and API keys. Only the auth service writes here; others read the views at the end.
-- auth_api acts for one account under row-level policies; auth_worker finds accounts, keeps signing keys and cleans up.

-- Grows with each change that others keep in memory. Transactions commit out of order: pollers re-read a small overlap.
create sequence auth.changed_seq;

create table auth.account (
  account_id          uuid primary key,
  email               text not null unique check (email = lower(email) and length(email) <= 254),
  password_hash       text not null,
  password_changed_at timestamptz not null,
  created_at          timestamptz not null
);

-- A session is a lineage of access tokens; token_id is its newest and the only one that refreshes.
create table auth.session (
  session_id       uuid primary key,
  account_id       uuid not null references auth.account,
  token_id         uuid not null,
  token_expires_at timestamptz not null,
  created_at       timestamptz not null,
  refreshed_at     timestamptz not null,
  ended_at         timestamptz,
  ended_because    text check (ended_because in ('logout', 'password_changed', 'password_set', 'token_reused')),
  changed_seq      bigint not null default nextval('auth.changed_seq'),
  check ((ended_at is null) = (ended_because is null))
);
create index session_of_account on auth.session (account_id) where ended_at is null;
create index session_ended on auth.session (changed_seq) where ended_at is not null;
create index session_by_age on auth.session (refreshed_at);

-- Tokens replaced within the last seconds, with what replaced them (sealed), so that concurrent refreshes get one answer.
create table auth.token_rotation (
  session_id       uuid not null references auth.session on delete cascade,
  token_id         uuid not null,
  account_id       uuid not null,
  rotated_at       timestamptz not null,
  successor_sealed bytea not null,
  primary key (session_id, token_id)
);

-- At most one key signs. A retired key signs no more and has no private half, but verifies until its row is deleted:
-- an expired token must still refresh.
create table auth.signing_key (
  key_id         text primary key,
  public_jwk     jsonb not null,
  private_sealed bytea,
  created_at     timestamptz not null,
  retired_at     timestamptz,
  check ((retired_at is null) = (private_sealed is not null))
);
create unique index one_key_signs on auth.signing_key ((true)) where retired_at is null;

create table auth.api_key (
  key_id       uuid primary key,
  account_id   uuid not null references auth.account,
  name         text not null,
  key_hash     bytea not null unique check (octet_length(key_hash) = 32),
  prefix       text not null,
  last_four    text not null,
  created_at   timestamptz not null,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  changed_seq  bigint not null default nextval('auth.changed_seq')
);
create index api_key_of_account on auth.api_key (account_id, created_at desc, key_id desc) where revoked_at is null;
create index api_key_changed on auth.api_key (changed_seq);
create index api_key_revoked on auth.api_key (revoked_at) where revoked_at is not null;

-- What was answered to a request with an Idempotency-Key; never holds a secret.
create table auth.idempotency_reply (
  account_id uuid not null,
  method     text not null,
  path       text not null,
  key        text not null,
  body_hash  bytea not null,
  status     int,
  headers    jsonb,
  body       jsonb,
  created_at timestamptz not null,
  primary key (account_id, method, path, key)
);
create index idempotency_reply_by_age on auth.idempotency_reply (created_at);

-- Changes are numbered and announced in the transaction that makes them. The payload only says where to look.
create function auth.number_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.changed_seq := nextval('auth.changed_seq');
  return new;
end $$;

create function auth.announce_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('auth_changed', tg_table_name);
  return null;
end $$;

create trigger number_change before update of revoked_at on auth.api_key
  for each row execute function auth.number_change();
create trigger number_change before update of ended_at on auth.session
  for each row execute function auth.number_change();
create trigger announce_change after insert or update of revoked_at on auth.api_key
  for each statement execute function auth.announce_change();
create trigger announce_change after insert or update of retired_at or delete on auth.signing_key
  for each statement execute function auth.announce_change();
-- By row: a refresh or a sign-in is not news, and announcing takes a lock that all announcing commits share.
create trigger announce_change after update of ended_at on auth.session
  for each row when (old.ended_at is distinct from new.ended_at) execute function auth.announce_change();

-- Services report the keys they saw, each at most once a minute. It is no news to anyone: changed_seq stays.
-- Rows are locked in key order, so that reporters never wait for each other in a circle.
create function auth.touch_api_keys(key_ids uuid[], used_at timestamptz) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update auth.api_key k set last_used_at = touch_api_keys.used_at
  from (
    select a.key_id from auth.api_key a
    where a.key_id = any (touch_api_keys.key_ids)
      and (a.last_used_at is null or a.last_used_at < touch_api_keys.used_at)
    order by a.key_id
    for no key update
  ) touched
  where k.key_id = touched.key_id
$$;

revoke execute on function auth.number_change(), auth.announce_change(), auth.touch_api_keys(uuid[], timestamptz) from public;
grant execute on function auth.touch_api_keys(uuid[], timestamptz) to auth_worker, ingest_gateway_worker, billing_worker;

-- Isolation: auth_api sees and touches the rows of its transaction's account; without an account, none.
alter table auth.account enable row level security;
alter table auth.session enable row level security;
alter table auth.token_rotation enable row level security;
alter table auth.signing_key enable row level security;
alter table auth.api_key enable row level security;
alter table auth.idempotency_reply enable row level security;

create policy own_rows on auth.account to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.session to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.token_rotation to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.api_key to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.idempotency_reply to auth_api using (account_id = (select auth.current_account_id()));

create policy all_rows on auth.account to auth_worker using (true);
create policy all_rows on auth.session to auth_worker using (true);
create policy all_rows on auth.token_rotation to auth_worker using (true);
create policy all_rows on auth.signing_key to auth_worker using (true);
create policy all_rows on auth.api_key to auth_worker using (true);
create policy all_rows on auth.idempotency_reply to auth_worker using (true);

grant select, update (password_hash, password_changed_at) on auth.account to auth_api;
grant select, insert, update on auth.session to auth_api;
grant select, insert, delete on auth.token_rotation to auth_api;
grant select, insert, update (revoked_at) on auth.api_key to auth_api;
grant select, insert, update, delete on auth.idempotency_reply to auth_api;
grant usage on sequence auth.changed_seq to auth_api, auth_worker;

grant select, insert, update (password_hash, password_changed_at) on auth.account to auth_worker;
grant select, insert, update, delete on auth.session to auth_worker;
grant select, delete on auth.token_rotation to auth_worker;
grant select, insert, update, delete on auth.signing_key to auth_worker;
grant select, delete on auth.api_key to auth_worker;
grant select, delete on auth.idempotency_reply to auth_worker;
grant select on sequence auth.changed_seq to auth_worker;

-- Published. Directories span accounts, so only workers read them, never an _api role.
create view auth.api_key_directory_v1 as
  select key_id, account_id, key_hash, revoked_at, changed_seq from auth.api_key;

create view auth.ended_session_v1 as
  select session_id, ended_at, changed_seq from auth.session where ended_at is not null;

create view auth.signing_key_v1 as
  select key_id, public_jwk, created_at, retired_at from auth.signing_key;

create view auth.account_directory_v1 as
  select account_id, email, created_at from auth.account;

grant select on auth.api_key_directory_v1, auth.ended_session_v1, auth.signing_key_v1
  to auth_worker, ingest_gateway_worker, billing_worker;
grant select on auth.account_directory_v1 to auth_worker, billing_worker;
