-- Usage by pass. An event knows the pass that paid for it, and events with a pass have rollups of their own. So existing
-- rows stay as they are, and an aggregator of the earlier version goes on counting.
alter table usage.event add column pass_id uuid;

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

do $$
declare
  t text;
begin
  foreach t in array array['pass_rollup', 'pass_rollup_measure'] loop
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
grant select, insert, update, delete on usage.pass_rollup, usage.pass_rollup_measure to aggregator_worker;
grant select on usage.pass_rollup, usage.pass_rollup_measure to billing_api, billing_worker, ingest_gateway_worker;

-- All rollups. pass_id is null for the calls without a pass; an hour has a row for those, and one per pass.
create or replace view usage.rollup_v1 with (security_invoker = true) as
select consumer_id, tool_id, hour, success, calls, duration_ms, null::uuid as pass_id from usage.rollup
union all
select consumer_id, tool_id, hour, success, calls, duration_ms, pass_id from usage.pass_rollup;

create or replace view usage.rollup_measure_v1 with (security_invoker = true) as
select consumer_id, tool_id, hour, success, key, total, null::uuid as pass_id from usage.rollup_measure
union all
select consumer_id, tool_id, hour, success, key, total, pass_id from usage.pass_rollup_measure;
grant select on usage.rollup_v1, usage.rollup_measure_v1 to aggregator_worker;

create or replace view usage.event_v1 with (security_invoker = true) as
select consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key, pass_id
from usage.event;

create or replace view billing.unbilled_month with (security_barrier = true) as
select l.consumer_id, l.period
from usage.late_usage l left join billing.billed_late_usage b using (consumer_id, period)
where l.tool_id in (select t.tool_id from billing.tool t where t.owner_id = (select auth.current_account_id()))
  and l.period <= (select max(c.period) from billing.closed_period c)
  -- The next close looks back twelve months; older usage is billed by none.
  and l.period >= (select to_char((max(c.period) || '-01')::date - interval '11 months', 'YYYY-MM') from billing.closed_period c)
  and (select sum(a.counts) from usage.late_usage a where a.consumer_id = l.consumer_id and a.period = l.period)
    > coalesce(b.counts, 0)
union
select u.consumer_id, c.period
from billing.unclosed_consumer u join billing.closed_period c on c.period >= u.period
where exists (
  select from usage.rollup_v1 r join billing.tool t using (tool_id)
  where r.consumer_id = u.consumer_id and t.owner_id = (select auth.current_account_id())
);
