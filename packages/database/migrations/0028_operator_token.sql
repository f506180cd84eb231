-- The operator's token after its first rotation. Until then OPERATOR_TOKEN of the environment counts. Only its hash is kept.
create table auth.operator_token (
  only_row   boolean     primary key default true check (only_row),
  token_hash bytea       not null check (octet_length(token_hash) = 32),
  created_at timestamptz not null
);
create trigger announce_change after insert or update or delete on auth.operator_token
  for each statement execute function auth.announce_change();

alter table auth.operator_token enable row level security;
create policy all_rows on auth.operator_token to auth_worker using (true) with check (true);
grant select, insert, update on auth.operator_token to auth_worker;

create view auth.operator_token_v1 as select token_hash from auth.operator_token;
grant select on auth.operator_token_v1 to auth_worker, ingest_gateway_worker, billing_worker;
