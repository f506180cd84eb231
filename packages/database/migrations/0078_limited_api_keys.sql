-- API keys may be limited: to what they open, and to a time. Null: to nothing.
-- Keys of today have neither, so nothing is scanned.
alter table auth.api_key add column can text[], add column expires_at timestamptz;
alter table auth.api_key add constraint api_key_can
  check (cardinality(can) >= 1 and can <@ array['events', 'read', 'manage']) not valid;

create view auth.api_key_directory_v2 as
  select key_id, account_id, key_hash, can, expires_at, revoked_at, changed_seq from auth.api_key;
grant select on auth.api_key_directory_v2 to auth_worker, ingest_gateway_worker, billing_worker;

-- The version before knows no limits: it refuses keys that have some, and never takes them for keys that open everything.
create or replace view auth.api_key_directory_v1 as
  select key_id, account_id, key_hash, revoked_at, changed_seq from auth.api_key where can is null and expires_at is null;
