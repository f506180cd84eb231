-- The tool catalogue: tools, their price versions, the replies kept for Idempotency-Key.
-- Nothing here is ever deleted by a service: a slug is never given out twice, and a price version, once written, is what
-- some hour's events are rated by. The grants at the end say so; nobody has to remember it.

create sequence billing.changed_seq as bigint;

-- The address of a builder's server, at which tools of it are called. The foreign key of the tools lets it belong to one
-- account: the row changes its owner only while no tool names it.
create table billing.resource (
  resource text primary key check (char_length(resource) between 1 and 2048), -- in the one spelling of the contract
  owner_id uuid not null,
  unique (resource, owner_id)
);

create table billing.tool (
  tool_id     text        primary key check (tool_id ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  owner_id    uuid        not null,
  name        text        not null check (char_length(name) between 1 and 200),
  description text        check (char_length(description) <= 2000),
  archived_at timestamptz,
  created_at  timestamptz not null,
  changed_seq bigint      not null default nextval('billing.changed_seq'),
  -- The most that a call of the tool has, where an authorization does not say it. Gateways read it with the tool.
  default_max jsonb       check (jsonb_typeof(default_max) = 'object'),
  resource    text,
  foreign key (resource, owner_id) references billing.resource (resource, owner_id)
);
create index tool_of_owner on billing.tool (owner_id, created_at desc, tool_id desc);
create index tool_in_catalogue on billing.tool (created_at desc, tool_id desc) where archived_at is null;
create index tool_changed on billing.tool (changed_seq);
create index tool_at_resource on billing.tool (resource) where resource is not null;

create table billing.tool_price (
  price_id       uuid        primary key,
  tool_id        text        not null references billing.tool,
  effective_from timestamptz, -- null: the first version, which has no lower bound (an event may be older than its tool)
  price          jsonb       not null, -- normalised
  measures       text[]      not null, -- the metadata keys that its charges sum
  created_at     timestamptz not null,
  changed_seq    bigint      not null default nextval('billing.changed_seq'),
  -- Rollups are hourly, so a version can only begin where an hour does.
  check (isfinite(effective_from) and mod(extract(epoch from effective_from), 3600) = 0),
  -- One version an hour: which of two would be in force must never depend on who wrote last.
  unique nulls not distinct (tool_id, effective_from)
);
create index tool_price_listed on billing.tool_price (tool_id, created_at desc, price_id desc);
create index tool_price_changed on billing.tool_price (changed_seq);

create table billing.idempotency_reply (
  account_id uuid        not null,
  method     text        not null,
  path       text        not null,
  key        text        not null,
  body_hash  bytea       not null,
  status     integer     not null,
  headers    jsonb       not null,
  body       jsonb       not null,
  created_at timestamptz not null,
  sealed     bytea, -- see auth.idempotency_reply
  primary key (account_id, method, path, key)
);
create index idempotency_reply_age on billing.idempotency_reply (created_at);

-- Grants keep the services from changing what stays as it is. This keeps everybody else from it, the owner at a prompt included.
create function billing.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'insufficient_privilege';
end
$$;
create trigger append_only before delete or truncate on billing.tool
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.tool_price
  for each statement execute function billing.refuse_change();

-- A change feed: whoever keeps the catalogue in memory is woken by NOTIFY and reads what has a higher number than it knows.
create function billing.stamp_change() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  new.changed_seq := nextval('billing.changed_seq');
  return new;
end
$$;

create function billing.notify_tools_changed() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  perform pg_notify('tools_changed', '');
  return null;
end
$$;

create function billing.keep_archived() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if old.archived_at is not null and new.archived_at is distinct from old.archived_at then
    raise exception 'an archived tool stays archived' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create trigger keep_archived before update on billing.tool for each row execute function billing.keep_archived();
create trigger stamp_change before update on billing.tool for each row execute function billing.stamp_change();
create trigger notify_change after insert or update on billing.tool
  for each statement execute function billing.notify_tools_changed();
create trigger notify_change after insert on billing.tool_price
  for each statement execute function billing.notify_tools_changed();

-- Any account may read the catalogue and use its tools; only the owner writes. Without an account nothing is visible.
alter table billing.tool enable row level security;
create policy catalogue_is_public on billing.tool for select to billing_api using (auth.current_account_id() is not null);
create policy owner_registers on billing.tool for insert to billing_api with check (owner_id = auth.current_account_id());
create policy owner_changes on billing.tool for update to billing_api
  using (owner_id = auth.current_account_id()) with check (owner_id = auth.current_account_id());
create policy worker_reads on billing.tool for select to billing_worker using (true);

alter table billing.resource enable row level security;
create policy resources_are_public on billing.resource for select to billing_api using (auth.current_account_id() is not null);
create policy owner_claims on billing.resource for insert to billing_api with check (owner_id = auth.current_account_id());
create policy owner_takes_over on billing.resource for update to billing_api
  using (auth.current_account_id() is not null) with check (owner_id = auth.current_account_id());

alter table billing.tool_price enable row level security;
create policy prices_are_public on billing.tool_price for select to billing_api using (auth.current_account_id() is not null);
create policy owner_prices on billing.tool_price for insert to billing_api
  with check (exists (
    select from billing.tool t where t.tool_id = tool_price.tool_id and t.owner_id = auth.current_account_id()
  ));
create policy worker_reads on billing.tool_price for select to billing_worker using (true);

alter table billing.idempotency_reply enable row level security;
create policy own_replies on billing.idempotency_reply to billing_api
  using (account_id = auth.current_account_id()) with check (account_id = auth.current_account_id());
create policy worker_prunes on billing.idempotency_reply to billing_worker using (true);

-- Published to other services. An _api role acts for one account, and without one it sees nothing here either.
create view billing.tool_directory_v1 as
select tool_id, owner_id, archived_at, changed_seq, default_max, resource
from billing.tool
where auth.current_account_id() is not null or current_user not in ('billing_api', 'ingest_gateway_api');

-- A version's end is the next one's beginning, so the next one's arrival is a change of this row too.
create view billing.tool_price_v1 as
select
  tool_id,
  price_id,
  coalesce(effective_from, '-infinity') as effective_from,
  coalesce(lead(effective_from) over by_tool, 'infinity') as effective_to,
  price,
  measures,
  greatest(changed_seq, lead(changed_seq) over by_tool) as changed_seq
from billing.tool_price
where auth.current_account_id() is not null or current_user not in ('billing_api', 'ingest_gateway_api')
window by_tool as (partition by tool_id order by effective_from nulls first);

-- Which tools have a new price, by index: the window of tool_price_v1 reads the whole price list for the same answer.
create view billing.tool_price_change_v1 as
select tool_id, changed_seq
from billing.tool_price
where auth.current_account_id() is not null or current_user not in ('billing_api', 'ingest_gateway_api');

grant usage on sequence billing.changed_seq to billing_api;
grant select, insert, update (name, description, archived_at, default_max, resource) on billing.tool to billing_api;
grant select, insert, update (owner_id) on billing.resource to billing_api;
grant select, insert on billing.tool_price to billing_api;
grant select, insert, update, delete on billing.idempotency_reply to billing_api;
grant select on billing.tool, billing.tool_price to billing_worker;
grant select, delete on billing.idempotency_reply to billing_worker;
grant select on billing.tool_directory_v1, billing.tool_price_v1
  to billing_api, billing_worker, ingest_gateway_api, ingest_gateway_worker, aggregator_worker;
grant select on billing.tool_price_change_v1 to ingest_gateway_worker;
