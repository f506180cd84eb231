-- Late usage: counted for a month that may have been closed before. A close rates its own month and these, and no other
-- month again, so its cost does not grow with history.
create table usage.late_usage (
  consumer_id uuid   not null,
  tool_id     text   not null,
  period      text   not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  counts      bigint not null default 1 check (counts > 0), -- goes up with each flush that counts more for this month
  primary key (consumer_id, tool_id, period)
) with (fillfactor = 70);

alter table usage.late_usage enable row level security;
create policy workers on usage.late_usage to aggregator_worker, billing_worker using (true) with check (true);
create policy consumers on usage.late_usage for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
create policy builders on usage.late_usage for select to billing_api
  using (tool_id in (select d.tool_id from billing.tool_directory_v1 d
                     where d.owner_id = (select auth.current_account_id())));
grant select, insert, update on usage.late_usage to aggregator_worker;

create view usage.late_usage_v1 with (security_invoker = true) as
select consumer_id, tool_id, period, counts from usage.late_usage;
grant select on usage.late_usage, usage.late_usage_v1 to billing_worker, billing_api;

-- Usage of closed months that was counted before this table existed may not be billed yet: the next close rates it once.
insert into usage.late_usage (consumer_id, tool_id, period)
select distinct r.consumer_id, r.tool_id, to_char(r.hour at time zone 'UTC', 'YYYY-MM')
from usage.rollup r
where r.hour < ((select max(period) || '-01' from billing.closed_period)::date + interval '1 month')::timestamp at time zone 'UTC';

-- Up to which of its counts the late usage of a consumer's month is on its invoices. Written with the invoice.
create table billing.billed_late_usage (
  consumer_id uuid   not null,
  period      text   not null,
  counts      bigint not null check (counts > 0),
  primary key (consumer_id, period)
) with (fillfactor = 70);

alter table billing.billed_late_usage enable row level security;
create policy workers on billing.billed_late_usage to billing_worker using (true) with check (true);
create policy accounts_read on billing.billed_late_usage for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
grant select, insert, update on billing.billed_late_usage to billing_worker;
grant select on billing.billed_late_usage to billing_api;

-- Consumers whose invoice could not be made when a period closed. Each keeps the first period that it lacks. The others
-- were invoiced; these are tried again on their own, and by each later close.
create table billing.unclosed_consumer (
  consumer_id   uuid        primary key,
  period        text        not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  reason        text        not null,
  failures      integer     not null default 1 check (failures > 0),
  set_aside_at  timestamptz not null,
  retry_at      timestamptz not null
);

alter table billing.unclosed_consumer enable row level security;
create policy workers on billing.unclosed_consumer to billing_worker using (true) with check (true);
create policy accounts_read on billing.unclosed_consumer for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
grant select, insert, update, delete on billing.unclosed_consumer to billing_worker;
grant select (consumer_id, period) on billing.unclosed_consumer to billing_api; -- the reason is the operator's
