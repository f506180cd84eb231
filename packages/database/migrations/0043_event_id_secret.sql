-- The secret of the ids of events with a key: without it, somebody who knows an account could find its keys by trying. Events
-- that were counted before have ids without the secret. Until every service knows the secret (`tollgate finish-upgrade`),
-- such ids are still given. Only a database on which no service has run begins with the secret in use.
create table usage.event_id_secret (
  is_only     boolean primary key default true check (is_only),
  secret      text    not null check (length(secret) = 43), -- 32 bytes, base64url
  has_old_ids boolean not null,
  in_use      boolean not null
);

insert into usage.event_id_secret (secret, has_old_ids, in_use)
select rtrim(translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/', '-_'), '='),
       has_run, not has_run
from (select exists (select from usage.cursor) or exists (select from usage.event_key) as has_run) as found;

create view usage.event_id_secret_v1 as select secret, has_old_ids, in_use from usage.event_id_secret;
grant select on usage.event_id_secret to aggregator_worker;
grant select on usage.event_id_secret_v1 to ingest_gateway_worker;

-- Puts the secret into use, for ever. It waits for the flushes under way and holds the next ones up meanwhile: each flush
-- reads `in_use` after it has its cursor, so all flushes agree on the id under which they claim a key.
create function usage.use_event_id_secret() returns boolean language plpgsql as $$
begin
  lock table usage.cursor in share row exclusive mode;
  update usage.event_id_secret set in_use = true where not in_use;
  return found;
end
$$;
revoke all on function usage.use_event_id_secret() from public;
