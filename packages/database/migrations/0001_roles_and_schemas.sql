-- Roles, schemas, and who may look into which. Roles belong to the cluster, not the database: they may exist already.
-- Passwords are set by the migrator, from the environment, and are never in a file.
do $$
declare
  role_name text;
begin
  foreach role_name in array array[
    'auth_api', 'auth_worker', 'ingest_gateway_api', 'ingest_gateway_worker',
    'aggregator_worker', 'billing_api', 'billing_worker', 'notifier_api', 'notifier_worker'
  ] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I login noinherit', role_name);
      exception when duplicate_object or unique_violation then
        null; -- another migrator of the same cluster was faster
      end;
    end if;
  end loop;
end
$$;

create schema audit;
create schema auth;
create schema billing;
create schema event_log;
create schema gate;
create schema notify;
create schema sandbox;
create schema usage;

revoke all on schema public from public;

grant usage on schema audit to auth_api, auth_worker, billing_api, billing_worker, ingest_gateway_api, ingest_gateway_worker,
  notifier_api, notifier_worker;
grant usage on schema auth to auth_api, auth_worker, ingest_gateway_api, ingest_gateway_worker, billing_api, billing_worker,
  notifier_api, notifier_worker;
grant usage on schema billing
  to billing_api, billing_worker, ingest_gateway_api, ingest_gateway_worker, aggregator_worker, auth_worker, notifier_worker;
grant usage on schema event_log to ingest_gateway_worker, aggregator_worker;
grant usage on schema gate to ingest_gateway_api, ingest_gateway_worker, billing_api, billing_worker;
grant usage on schema notify to notifier_api, notifier_worker, billing_worker;
grant usage on schema sandbox to billing_worker, auth_worker, ingest_gateway_worker, aggregator_worker, notifier_worker;
grant usage on schema usage to aggregator_worker, billing_api, billing_worker, ingest_gateway_api, ingest_gateway_worker;

-- The account that the current transaction acts for; without one, row-level policies show nothing.
create function auth.current_account_id() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('tollgate.account_id', true), '')::uuid $$;
