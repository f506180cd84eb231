-- Operator tokens have names, and may expire. Until the token `default` has a row, OPERATOR_TOKEN of the settings is it.
-- `only_row` stays as the mark of `default`, because services of the version before read and write that row alone.
alter table auth.operator_token drop constraint operator_token_pkey;
alter table auth.operator_token alter column only_row drop not null;
alter table auth.operator_token add constraint operator_token_only_row unique (only_row);
alter table auth.operator_token add column name text not null default 'default' primary key
  check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$');
alter table auth.operator_token add column expires_at timestamptz, add column revoked_at timestamptz;
alter table auth.operator_token add check ((name = 'default') = (only_row is not null));
grant delete on auth.operator_token to auth_worker;

-- Also those that were revoked: a service that is shown one says so, and how to make another.
create view auth.operator_token_v2 as select name, token_hash, expires_at, revoked_at from auth.operator_token;
grant select on auth.operator_token_v2 to auth_worker, ingest_gateway_worker, billing_worker;

-- For the version before: a revoked `default` has a hash that no token has, so that OPERATOR_TOKEN does not count again.
create or replace view auth.operator_token_v1 as
  select case when revoked_at is null then token_hash else decode(repeat('00', 32), 'hex') end as token_hash
  from auth.operator_token where only_row;
