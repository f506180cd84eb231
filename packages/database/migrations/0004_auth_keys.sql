-- API keys, and the tokens and the second factor of the operator.

-- A key may be limited: to what it opens (`can`), and to a time. Null: to nothing.
create table auth.api_key (
  key_id         uuid primary key,
  account_id     uuid not null references auth.account,
  name           text not null,
  key_hash       bytea not null unique check (octet_length(key_hash) = 32),
  prefix         text not null,
  last_four      text not null,
  created_at     timestamptz not null,
  last_used_at   timestamptz,
  revoked_at     timestamptz,
  changed_seq    bigint not null default nextval('auth.changed_seq'),
  can            text[] constraint api_key_can check (cardinality(can) >= 1 and can <@ array['events', 'read', 'manage']),
  expires_at     timestamptz,
  expiry_seen_at timestamptz -- the job has seen that it expired, and told its owner
);
create index api_key_of_account on auth.api_key (account_id, created_at desc, key_id desc) where revoked_at is null;
create index api_key_changed on auth.api_key (changed_seq);
create index api_key_revoked on auth.api_key (revoked_at) where revoked_at is not null;
create index api_key_to_expire on auth.api_key (expires_at)
  where expires_at is not null and revoked_at is null and expiry_seen_at is null;

-- Operator tokens have names, and may expire. Until the token `default` has a row, OPERATOR_TOKEN of the settings is it. Only
-- hashes are kept.
create table auth.operator_token (
  name       text        primary key check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  token_hash bytea       not null check (octet_length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);

-- The operator's second factor. While it is confirmed, what the operator changes over HTTP needs a code of a few minutes,
-- which a code of the authenticator app buys. All services read the view; only hashes of codes and tokens stand here.
create table auth.operator_totp (
  only_row      boolean     primary key default true check (only_row),
  secret_sealed bytea       not null,
  created_at    timestamptz not null,
  confirmed_at  timestamptz,
  last_step     bigint,
  check ((confirmed_at is null) = (last_step is null))
);

create table auth.operator_code (
  code_hash  bytea       primary key check (octet_length(code_hash) = 32),
  token_hash bytea       not null check (octet_length(token_hash) = 32), -- the operator token that may use it
  expires_at timestamptz not null
);

create trigger number_change before update of revoked_at on auth.api_key
  for each row execute function auth.number_change();
create trigger announce_change after insert or update of revoked_at on auth.api_key
  for each statement execute function auth.announce_change();
create trigger announce_change after insert or update or delete on auth.operator_token
  for each statement execute function auth.announce_change();
create trigger announce_change after insert or update or delete on auth.operator_totp
  for each statement execute function auth.announce_change();
create trigger announce_change after insert or delete on auth.operator_code
  for each statement execute function auth.announce_change();

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
revoke execute on function auth.touch_api_keys(uuid[], timestamptz) from public;
grant execute on function auth.touch_api_keys(uuid[], timestamptz) to auth_worker, ingest_gateway_worker, billing_worker;

alter table auth.api_key enable row level security;
alter table auth.operator_token enable row level security;
alter table auth.operator_totp enable row level security;
alter table auth.operator_code enable row level security;

create policy own_rows on auth.api_key to auth_api using (account_id = (select auth.current_account_id()));
create policy all_rows on auth.api_key to auth_worker using (true);
create policy all_rows on auth.operator_token to auth_worker using (true) with check (true);
create policy all_rows on auth.operator_totp to auth_worker using (true) with check (true);
create policy all_rows on auth.operator_code to auth_worker using (true) with check (true);

grant select, insert, update (revoked_at) on auth.api_key to auth_api;
grant select, update (expiry_seen_at), delete on auth.api_key to auth_worker;
grant select, insert, update, delete on auth.operator_token, auth.operator_totp to auth_worker;
grant select, insert, delete on auth.operator_code to auth_worker;

-- Published to workers.
create view auth.api_key_directory_v1 as
  select key_id, account_id, key_hash, can, expires_at, revoked_at, changed_seq from auth.api_key;

-- Also revoked ones: a service that is shown one says so, and how to make another.
create view auth.operator_token_v1 as select name, token_hash, expires_at, revoked_at from auth.operator_token;

-- No row: there is no second factor. One row without a code: it is on, and nobody has a code.
create view auth.operator_code_v1 as
  select c.code_hash, c.token_hash, c.expires_at
  from auth.operator_totp t left join auth.operator_code c on true
  where t.confirmed_at is not null;

grant select on auth.api_key_directory_v1, auth.operator_token_v1, auth.operator_code_v1
  to auth_worker, ingest_gateway_worker, billing_worker;
