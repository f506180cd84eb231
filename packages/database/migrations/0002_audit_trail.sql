-- The audit trail: each row says who did what, from where, and when. It is written in the transaction of its act, so a durable
-- act has its row. The time is the database's own, and no service may write it. Nobody changes or removes a row, the owner at
-- a prompt included.
create table audit.act (
  act_id           bigint generated always as identity primary key,
  occurred_at      timestamptz(3) not null default clock_timestamp(), -- milliseconds: cursors hold it exactly
  action           text           not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  result           text           not null check (result in ('done', 'refused')),
  account_id       uuid,          -- the account that the act concerns; null for an act on the platform
  actor            text           not null check (actor in ('session', 'api_key', 'pass', 'operator', 'command', 'processor', 'service', 'nobody')),
  actor_account_id uuid,          -- the account of a session, an API key or a pass, or of the person who is the operator
  credential_id    uuid,          -- the session, the API key or the pass
  operator_name    text           check (length(operator_name) <= 100),
  address          text           check (length(address) <= 100),
  request_id       text           check (length(request_id) <= 128),
  object_kind      text           not null,
  object_id        text           check (length(object_id) <= 200),
  detail           jsonb          not null default '{}' check (octet_length(detail::text) <= 2000)
);
create index act_by_time on audit.act (occurred_at desc, act_id desc);
create index act_of_account on audit.act (account_id, occurred_at desc, act_id desc);
create index act_by_action on audit.act (action, occurred_at desc, act_id desc);

create function audit.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  raise exception 'audit.act is append-only: % is refused', lower(tg_op) using errcode = 'insufficient_privilege';
end
$$;
create trigger append_only before update or delete or truncate on audit.act
  for each statement execute function audit.refuse_change();

-- An _api role writes only rows of the account that it acts for. Only auth's worker reads all; it serves the operator's list.
alter table audit.act enable row level security;
create policy own_acts on audit.act for insert to auth_api, billing_api, notifier_api
  with check (account_id = (select auth.current_account_id()));
create policy own_acts_of_gateway on audit.act for insert to ingest_gateway_api
  with check (account_id = (select auth.current_account_id()));
create policy any_act on audit.act for insert to auth_worker, billing_worker, notifier_worker with check (true);
create policy all_acts on audit.act for select to auth_worker using (true);
-- The gateway has routes of the operator too. A wrong token there leaves its row, as at auth and billing, and no other row.
create policy wrong_tokens_at_gateway on audit.act for insert to ingest_gateway_worker
  with check (action = 'operator_token.used' and result = 'refused');

grant insert (action, result, account_id, actor, actor_account_id, credential_id, operator_name, address, request_id,
  object_kind, object_id, detail) on audit.act
  to auth_api, auth_worker, billing_api, billing_worker, ingest_gateway_api, ingest_gateway_worker, notifier_api,
    notifier_worker;
grant select on audit.act to auth_worker;

-- An account reads the acts that concern it. About the operator it learns that it was the operator, and no more.
create view audit.own_act_v1 with (security_barrier) as
  select act_id, occurred_at, action, result, actor, object_kind, object_id,
    case when actor <> 'operator' then credential_id end as credential_id,
    case when actor in ('session', 'api_key', 'pass', 'nobody') then address end as address,
    case when actor in ('session', 'api_key', 'pass', 'nobody') then request_id end as request_id
  from audit.act where account_id = (select auth.current_account_id());
grant select on audit.own_act_v1 to auth_api;
