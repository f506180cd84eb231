-- The sums of what was counted, by hour. Only the aggregator writes them; others read the views at the end.

create table usage.rollup (
  consumer_id uuid not null,
  tool_id     text not null,
  hour        timestamptz not null,
  success     boolean not null,
  calls       bigint not null check (calls > 0),
  duration_ms bigint not null check (duration_ms >= 0),
  primary key (consumer_id, tool_id, hour, success)
) with (fillfactor = 70);

create index rollup_by_tool on usage.rollup (tool_id, hour);

-- Sums of the metadata keys that the tool's price in force at the hour sums.
create table usage.rollup_measure (
  consumer_id uuid not null,
  tool_id     text not null,
  hour        timestamptz not null,
  success     boolean not null,
  key         text not null,
  total       numeric not null check (total >= 0),
  primary key (consumer_id, tool_id, hour, success, key)
) with (fillfactor = 70);

create index rollup_measure_by_tool on usage.rollup_measure (tool_id, hour);

-- Events with a pass have rollups of their own: an hour has a row for the calls without a pass, and one per pass.
create table usage.pass_rollup (
  consumer_id uuid not null,
  tool_id     text not null,
  hour        timestamptz not null,
  success     boolean not null,
  pass_id     uuid not null,
  calls       bigint not null check (calls > 0),
  duration_ms bigint not null check (duration_ms >= 0),
  primary key (consumer_id, tool_id, hour, success, pass_id)
) with (fillfactor = 70);
create index pass_rollup_by_tool on usage.pass_rollup (tool_id, hour);

create table usage.pass_rollup_measure (
  consumer_id uuid not null,
  tool_id     text not null,
  hour        timestamptz not null,
  success     boolean not null,
  pass_id     uuid not null,
  key         text not null,
  total       numeric not null check (total >= 0),
  primary key (consumer_id, tool_id, hour, success, pass_id, key)
) with (fillfactor = 70);
create index pass_rollup_measure_by_tool on usage.pass_rollup_measure (tool_id, hour);

-- Late usage: counted for a month that may have been closed before. A close rates its own month and these, and no other
-- month again, so its cost does not grow with history.
create table usage.late_usage (
  consumer_id uuid   not null,
  tool_id     text   not null,
  period      text   not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  counts      bigint not null default 1 check (counts > 0), -- goes up with each flush that counts more for this month
  primary key (consumer_id, tool_id, period)
) with (fillfactor = 70);
create index late_usage_by_tool on usage.late_usage (tool_id);

-- Once a day the rollups are compared with the events they were made of; here is when it is next, and what the last one found.
create table usage.rollup_check (
  only_row    boolean     primary key default true check (only_row),
  due_at      timestamptz not null, -- while one is under way: when another may take its place
  checked_at  timestamptz,
  differences bigint -- rows that are not what the events add up to
);

-- A consumer sees its own; a builder what others did with its tools. `_api` roles see nothing without an account.
do $$
declare
  t text;
begin
  foreach t in array array['rollup', 'rollup_measure', 'pass_rollup', 'pass_rollup_measure'] loop
    execute format('alter table usage.%I enable row level security', t);
    execute format('create policy workers on usage.%I to aggregator_worker, billing_worker, ingest_gateway_worker using (true) with check (true)', t);
    execute format('create policy consumers on usage.%I for select to billing_api, ingest_gateway_api
                    using (consumer_id = (select auth.current_account_id()))', t);
    execute format('create policy builders on usage.%I for select to billing_api, ingest_gateway_api
                    using (tool_id in (select d.tool_id from billing.tool_directory_v1 d
                                       where d.owner_id = (select auth.current_account_id())))', t);
  end loop;
end
$$;
alter table usage.late_usage enable row level security;
create policy workers on usage.late_usage to aggregator_worker, billing_worker using (true) with check (true);
create policy consumers on usage.late_usage for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
create policy builders on usage.late_usage for select to billing_api
  using (tool_id in (select d.tool_id from billing.tool_directory_v1 d
                     where d.owner_id = (select auth.current_account_id())));
alter table usage.rollup_check enable row level security;
create policy worker_checks on usage.rollup_check to aggregator_worker using (true) with check (true);

-- pass_id is null for the calls without a pass.
create view usage.rollup_v1 with (security_invoker = true) as
select consumer_id, tool_id, hour, success, calls, duration_ms, null::uuid as pass_id from usage.rollup
union all
select consumer_id, tool_id, hour, success, calls, duration_ms, pass_id from usage.pass_rollup;

create view usage.rollup_measure_v1 with (security_invoker = true) as
select consumer_id, tool_id, hour, success, key, total, null::uuid as pass_id from usage.rollup_measure
union all
select consumer_id, tool_id, hour, success, key, total, pass_id from usage.pass_rollup_measure;

create view usage.late_usage_v1 with (security_invoker = true) as
select consumer_id, tool_id, period, counts from usage.late_usage;

grant select, insert, update, delete on usage.rollup, usage.rollup_measure, usage.pass_rollup, usage.pass_rollup_measure
  to aggregator_worker; -- only rebuild-rollups deletes
grant select, insert, update on usage.late_usage to aggregator_worker;
grant select, insert, update on usage.rollup_check to aggregator_worker;
grant select on usage.rollup_v1, usage.rollup_measure_v1 to aggregator_worker;
-- security_invoker views need the reader's own right to the tables; the services' SQL uses the views alone. The gateway settles
-- by the invoice's own rating of the rollups.
grant select on usage.rollup, usage.rollup_measure, usage.rollup_v1, usage.rollup_measure_v1, usage.pass_rollup,
  usage.pass_rollup_measure to billing_api, billing_worker, ingest_gateway_worker;
grant select on usage.late_usage, usage.late_usage_v1 to billing_worker, billing_api;
