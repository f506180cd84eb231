-- Once a day the rollups are compared with the events they were made of; here is when it is next, and what the last one found.
create table usage.rollup_check (
  only_row    boolean     primary key default true check (only_row),
  due_at      timestamptz not null, -- while one is under way: when another may take its place
  checked_at  timestamptz,
  differences bigint -- rows that are not what the events add up to
);

alter table usage.rollup_check enable row level security;
create policy worker_checks on usage.rollup_check to aggregator_worker using (true) with check (true);
grant select, insert, update on usage.rollup_check to aggregator_worker;
