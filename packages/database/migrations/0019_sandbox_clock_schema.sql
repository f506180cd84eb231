-- The sandbox's clock is every service's, not billing's: its row moves to the schema `sandbox` and keeps its value.
alter table billing.sandbox_clock set schema sandbox;
alter table sandbox.sandbox_clock rename to clock;

-- What every service reads; only billing_worker, which has its rights from 0010, writes the table.
create view sandbox.clock_v1 as
select stood_at, set_at, is_frozen, moves from sandbox.clock;

-- Begins an empty database's clock. Answers false once anything bears a time: a clock must never go back.
create function sandbox.begin_clock(start timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  lock table sandbox.clock in exclusive mode; -- of services that start together, one begins the clock
  if exists (select from sandbox.clock) then
    return true;
  end if;
  if exists (select from auth.signing_key) or exists (select from auth.account) or exists (select from billing.tool)
     or exists (select from event_log.record_batch) or exists (select from usage.cursor where counted_through > '-infinity')
  then
    return false;
  end if;
  insert into sandbox.clock (stood_at, set_at, is_frozen, moves) values (start, clock_timestamp(), false, 1);
  return true;
end
$$;

revoke execute on function sandbox.begin_clock(timestamptz) from public;

grant usage on schema sandbox to auth_worker, ingest_gateway_worker, aggregator_worker;
grant select on sandbox.clock_v1 to auth_worker, ingest_gateway_worker, aggregator_worker, billing_worker;
grant execute on function sandbox.begin_clock(timestamptz)
  to auth_worker, ingest_gateway_worker, aggregator_worker, billing_worker;

-- During an update, services of the version before use the same row under its old names, which a later release drops.
-- Their view follows the table by itself. Their function, and a move by their billing, go through this view.
create view billing.sandbox_clock as
select only_row, stood_at, set_at, is_frozen, moves from sandbox.clock;

grant select, insert, update on billing.sandbox_clock to billing_worker;
