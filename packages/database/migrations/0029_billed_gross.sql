-- The charges that invoices have billed for a builder's tools, by the month of the calls. Usage of a builder starts from
-- the gross of all calls before; with these sums it needs not rate them again.
create table billing.billed_gross (
  builder_id   uuid not null,
  period       text not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  gross_micros billing.micros not null,
  primary key (builder_id, period)
) with (fillfactor = 70);

alter table billing.billed_gross enable row level security;
create policy worker_closes on billing.billed_gross to billing_worker using (true) with check (true);
create policy builders_read on billing.billed_gross for select to billing_api
  using (builder_id = (select auth.current_account_id()));
grant select, insert, update (gross_micros) on billing.billed_gross to billing_worker;
grant select on billing.billed_gross to billing_api;

-- A trigger, so that processes of the version before keep the sums too. In key order, although closers wait for one lock.
create function billing.sum_billed_gross() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  insert into billing.billed_gross as g (builder_id, period, gross_micros)
  select n.builder_id, coalesce(n.adjustment_of, i.period), sum(n.charge_micros)
  from new_line n join billing.invoice i using (invoice_id)
  group by 1, 2 order by 1, 2
  on conflict (builder_id, period) do update set gross_micros = g.gross_micros + excluded.gross_micros;
  return null;
end
$$;
create trigger sums_billed_gross after insert on billing.invoice_line
  referencing new table as new_line for each statement execute function billing.sum_billed_gross();
revoke all on function billing.sum_billed_gross() from public;

insert into billing.billed_gross (builder_id, period, gross_micros)
select l.builder_id, coalesce(l.adjustment_of, i.period), sum(l.charge_micros)
from billing.invoice_line l join billing.invoice i using (invoice_id)
group by 1, 2;

create index late_usage_by_tool on usage.late_usage (tool_id);

-- Closed months of consumers whose calls of this builder's tools are not all on invoices: counted late, or the consumer's
-- invoice could not be made.
create view billing.unbilled_month with (security_barrier = true) as
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
  select from usage.rollup r join billing.tool t using (tool_id)
  where r.consumer_id = u.consumer_id and t.owner_id = (select auth.current_account_id())
);

-- Lines of invoices for this builder's tools, collected or not.
create view billing.billed_line with (security_barrier = true) as
select i.consumer_id, i.period as invoice_period, coalesce(l.adjustment_of, i.period) as period, l.tool_id, l.price_id, l.charge_index, l.name,
  l.charge_micros
from billing.invoice_line l join billing.invoice i using (invoice_id)
where l.builder_id = (select auth.current_account_id());

grant select on billing.unbilled_month, billing.billed_line to billing_api;
