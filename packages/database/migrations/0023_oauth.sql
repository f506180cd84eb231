-- OAuth: a person signs in and consents, and a client gets a pass. Auth writes the tables; the pass itself is the gate's.

-- The library of the authorization server keeps this, named by the hash of its id: codes and refresh tokens are ids themselves, so
-- whoever reads the table has none that works. Times are those of the machine, as the library's are.
create table auth.oauth_object (
  model            text        not null,
  id_hash          bytea       not null check (octet_length(id_hash) = 32),
  payload          jsonb       not null,
  grant_id         uuid,
  consumed_at      timestamptz,
  successor_sealed bytea, -- that of a used refresh token: who sends it again within seconds gets the same successor
  expires_at       timestamptz not null,
  primary key (model, id_hash)
);
create index oauth_object_of_grant on auth.oauth_object (grant_id) where grant_id is not null;
create index oauth_object_by_age on auth.oauth_object (expires_at);

-- A consent: this client may spend at this resource what the pass allows. A second consent changes the pass of the first.
create table auth.oauth_grant (
  grant_id     uuid        primary key,
  account_id   uuid        not null references auth.account,
  client_id    text        not null check (length(client_id) between 1 and 2048),
  client_name  text        not null check (length(client_name) between 1 and 200),
  resource     text        not null check (length(resource) <= 2048),
  pass_id      uuid        not null,
  created_at   timestamptz not null,
  consented_at timestamptz not null,
  ended_at     timestamptz
);
create unique index one_live_oauth_grant on auth.oauth_grant (account_id, client_id, resource) where ended_at is null;
create index oauth_grant_of_pass on auth.oauth_grant (pass_id);
create index oauth_grant_of_client on auth.oauth_grant (client_id) where ended_at is null;

alter table auth.oauth_object enable row level security;
alter table auth.oauth_grant enable row level security;
create policy all_rows on auth.oauth_object to auth_worker using (true) with check (true);
create policy own_rows on auth.oauth_grant to auth_api using (account_id = (select auth.current_account_id()));
create policy all_rows on auth.oauth_grant to auth_worker using (true);

grant select, insert, update, delete on auth.oauth_object to auth_worker;
grant select, insert, update on auth.oauth_grant to auth_api;
grant select, update (ended_at) on auth.oauth_grant to auth_worker;
grant usage on schema gate to auth_api, auth_worker;

-- Makes or changes the pass of a consent, for the account of the transaction. One that ended is `gone`, and stays so. The bytes of its key are random and were never
-- anybody's: only tokens open it. A cap whose amount alone changes goes on, so what was spent of its window stays counted; as
-- when the owner changes a pass, the settlement comes first (see lock-settlement.ts of the gateway).
create function gate.put_consented_pass(
  given_id uuid, given_name text, given_tool_ids text[], given_cap_micros bigint, given_cap_window text,
  given_per_call_max_micros bigint, given_approve_above_micros bigint, given_expires_at timestamptz, given_at timestamptz,
  passes_max integer
) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  account uuid := auth.current_account_id();
  before gate.pass;
begin
  if account is null then
    raise exception 'a consent has an account' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('gate.pass:' || account, 0)); -- as lockPassesOf of the gateway
  select * into before from gate.pass p where p.pass_id = given_id and p.account_id = account for update;
  if found then
    if before.revoked_at is not null or before.expires_at <= given_at then
      update gate.pass set revoked_at = given_at where pass_id = given_id and revoked_at is null;
      return 'gone';
    end if;
    update gate.pass set name = given_name, tool_ids = given_tool_ids, cap_micros = given_cap_micros, cap_window = given_cap_window,
      cap_changed_at = case when before.cap_window = given_cap_window then before.cap_changed_at else given_at end,
      per_call_max_micros = given_per_call_max_micros, approve_above_micros = given_approve_above_micros,
      expires_at = given_expires_at, is_paused = false
    where pass_id = given_id;
    insert into gate.settlement as s (account_id, seq) values (account, 0) on conflict (account_id) do update set seq = s.seq;
    perform from gate.cap_state where scope = 'pass' and owner_id = given_id order by cap_id for update;
    if before.cap_window = given_cap_window then
      update gate.cap_state set cap_micros = given_cap_micros where scope = 'pass' and owner_id = given_id;
    else
      delete from gate.cap_state where scope = 'pass' and owner_id = given_id;
    end if;
    return 'changed';
  end if;
  if (select count(*) from gate.pass p where p.account_id = account and p.revoked_at is null
      and p.ancestor_ids is null) >= passes_max then
    return 'too_many';
  end if;
  insert into gate.pass (pass_id, account_id, name, key_hash, prefix, last_four, tool_ids, cap_micros, cap_window, cap_changed_at,
    per_call_max_micros, approve_above_micros, created_at, expires_at)
  values (given_id, account, given_name, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'oauth', '',
    given_tool_ids, given_cap_micros, given_cap_window, given_at, given_per_call_max_micros,
    given_approve_above_micros, given_at, given_expires_at);
  return 'created';
end $$;

-- Revokes the pass of a consent; false if it was revoked before. All gateways know within a second.
create function gate.revoke_consented_pass(given_id uuid, given_at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update gate.pass set revoked_at = given_at where pass_id = given_id and revoked_at is null;
  return found;
end $$;
revoke execute on function gate.put_consented_pass(uuid, text, text[], bigint, text, bigint, bigint, timestamptz, timestamptz, integer),
  gate.revoke_consented_pass(uuid, timestamptz) from public;
grant execute on function gate.put_consented_pass(uuid, text, text[], bigint, text, bigint, bigint, timestamptz, timestamptz,
  integer) to auth_api;
grant execute on function gate.revoke_consented_pass(uuid, timestamptz) to auth_worker;

-- Published to auth: whether the pass of a consent still counts, and what it allows.
create view gate.pass_state_v1 as
select pass_id, account_id, tool_ids, cap_micros, cap_window, per_call_max_micros, approve_above_micros, is_paused, expires_at, revoked_at
from gate.pass;
grant select on gate.pass_state_v1 to auth_worker;

-- The page of a consent shows the account its own budget.
create view gate.own_budget_v1 with (security_barrier) as
select amount_micros, window_kind from gate.budget
where account_id = (select auth.current_account_id()) and amount_micros is not null;
grant select on gate.own_budget_v1 to auth_api;

-- Published to auth: the tools that name a resource, and whose they are.
create view billing.tool_of_resource_v1 as
select tool_id, owner_id, name, resource from billing.tool where resource is not null and archived_at is null;
grant select on billing.tool_of_resource_v1, billing.tool_price_v1 to auth_worker;
