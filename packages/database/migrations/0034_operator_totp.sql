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
  token_hash bytea       not null check (octet_length(token_hash) = 32), -- of the operator token that may use it
  expires_at timestamptz not null
);

create trigger announce_change after insert or update or delete on auth.operator_totp
  for each statement execute function auth.announce_change();
create trigger announce_change after insert or delete on auth.operator_code
  for each statement execute function auth.announce_change();

alter table auth.operator_totp enable row level security;
alter table auth.operator_code enable row level security;
create policy all_rows on auth.operator_totp to auth_worker using (true) with check (true);
create policy all_rows on auth.operator_code to auth_worker using (true) with check (true);
grant select, insert, update, delete on auth.operator_totp to auth_worker;
grant select, insert, delete on auth.operator_code to auth_worker;

-- No row: there is no second factor. One row without a code: it is on, and nobody has a code.
create view auth.operator_code_v1 as
  select c.code_hash, c.token_hash, c.expires_at
  from auth.operator_totp t left join auth.operator_code c on true
  where t.confirmed_at is not null;
grant select on auth.operator_code_v1 to auth_worker, ingest_gateway_worker, billing_worker;
