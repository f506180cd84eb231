-- The charges for a builder's tools that were collected or written off, by the month of the calls: of each line that is in
-- billing.released_line, or whose money an invoice should have collected that is void or uncollectible. Less these sums,
-- billing.billed_gross is what is still to be collected. It was looked for among all lines ever billed for the builder.
create table billing.settled_gross (
  builder_id   uuid not null,
  period       text not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  gross_micros billing.micros not null,
  primary key (builder_id, period)
) with (fillfactor = 70);

alter table billing.settled_gross enable row level security;
create policy worker_reads on billing.settled_gross for select to billing_worker using (true);
create policy builders_read on billing.settled_gross for select to billing_api
  using (builder_id = (select auth.current_account_id()));
grant select on billing.settled_gross to billing_worker, billing_api;

-- Triggers, so that processes of the version before keep the sums too. In key order, so that two of them wait for each other.
create function billing.settle_released_gross() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  insert into billing.settled_gross as g (builder_id, period, gross_micros)
  select n.builder_id, coalesce(l.adjustment_of, i.period), sum(n.charge_micros)
  from new_line n join billing.invoice_line l using (invoice_id, place) join billing.invoice i using (invoice_id)
  group by 1, 2 order by 1, 2
  on conflict (builder_id, period) do update set gross_micros = g.gross_micros + excluded.gross_micros;
  return null;
end
$$;
create trigger settles_gross after insert on billing.released_line
  referencing new table as new_line for each statement execute function billing.settle_released_gross();

-- With an invoice, those right before it are written off that billed nothing: their charges were carried into it. One that
-- is paid after all releases the same lines, so they are no longer written off.
create function billing.settle_written_off_gross() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  was_written_off boolean := old.status in ('uncollectible', 'void');
  is_written_off boolean := new.status in ('uncollectible', 'void');
begin
  if was_written_off = is_written_off then
    return null;
  end if;
  insert into billing.settled_gross as g (builder_id, period, gross_micros)
  select l.builder_id, coalesce(l.adjustment_of, i.period),
    case when is_written_off then sum(l.charge_micros) else -sum(l.charge_micros) end
  from billing.invoice i join billing.invoice_line l using (invoice_id)
  where i.consumer_id = new.consumer_id and i.period <= new.period and i.period > coalesce(
    (select max(b.period) from billing.invoice b
     where b.consumer_id = new.consumer_id and b.period < new.period and b.total_cents > 0), '')
  group by 1, 2 order by 1, 2
  on conflict (builder_id, period) do update set gross_micros = g.gross_micros + excluded.gross_micros;
  return null;
end
$$;
create trigger settles_gross after update of status on billing.invoice
  for each row execute function billing.settle_written_off_gross();

revoke all on function billing.settle_released_gross(), billing.settle_written_off_gross() from public;

insert into billing.settled_gross (builder_id, period, gross_micros)
select l.builder_id, coalesce(l.adjustment_of, i.period), sum(l.charge_micros)
from billing.invoice_line l join billing.invoice i using (invoice_id)
where exists (select from billing.released_line r where r.invoice_id = l.invoice_id and r.place = l.place)
  or (select later.status from billing.invoice later
      where later.consumer_id = i.consumer_id and later.period >= i.period and later.total_cents > 0
      order by later.period limit 1) in ('uncollectible', 'void')
group by 1, 2;
