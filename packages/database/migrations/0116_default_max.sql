-- The most that a call of a tool has, where an authorization does not say it. Gateways read it with the tool.
alter table billing.tool add column default_max jsonb check (jsonb_typeof(default_max) = 'object');
grant update (default_max) on billing.tool to billing_api;

create or replace view billing.tool_directory_v1 as
select tool_id, owner_id, archived_at, changed_seq, default_max
from billing.tool
where auth.current_account_id() is not null or current_user not in ('billing_api', 'ingest_gateway_api');
