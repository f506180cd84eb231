-- The sandbox's movable clock, and what the operator does with dead letters.

-- One row, or none: without one, time is the machine's. At `set_at` (the database's clock) the sandbox's clock stood at
-- `stood_at`, and it ticked on from there unless frozen. `moves` tells a move from a heartbeat.
create table billing.sandbox_clock (
  only_row  boolean primary key default true check (only_row),
  stood_at  timestamptz not null,
  set_at    timestamptz not null,
  is_frozen boolean not null,
  moves     bigint not null check (moves > 0)
);

-- Where an empty database's clock begins. Refused (false) once anything bears a time: a clock must never go back.
create function billing.begin_sandbox_clock(start timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  lock table billing.sandbox_clock in exclusive mode; -- services that start together: one begins it
  if exists (select from billing.sandbox_clock) then
    return true;
  end if;
  if exists (select from auth.signing_key) or exists (select from auth.account) or exists (select from billing.tool)
     or exists (select from event_log.record_batch) or exists (select from usage.cursor where counted_through > '-infinity')
  then
    return false;
  end if;
  insert into billing.sandbox_clock (stood_at, set_at, is_frozen, moves) values (start, clock_timestamp(), false, 1);
  return true;
end
$$;

revoke execute on function billing.begin_sandbox_clock(timestamptz) from public;

create view billing.sandbox_clock_v1 as
select stood_at, set_at, is_frozen, moves from billing.sandbox_clock;

grant usage on schema billing to auth_worker;
grant select on billing.sandbox_clock_v1 to auth_worker, ingest_gateway_worker, aggregator_worker, billing_worker;
grant select, insert, update on billing.sandbox_clock to billing_worker;
grant execute on function billing.begin_sandbox_clock(timestamptz)
  to auth_worker, ingest_gateway_worker, aggregator_worker, billing_worker;

-- A dead letter that the operator appended to the log again: when, and where it went.
alter table usage.dead_letter
  add column replayed_at timestamptz,
  add column replayed_to_partition int,
  add column replayed_to_offset bigint,
  add check ((replayed_at is null) = (replayed_to_partition is null) and (replayed_at is null) = (replayed_to_offset is null));

create index dead_letter_by_age on usage.dead_letter (stored_at, topic, partition, log_offset);

create view usage.dead_letter_v1 with (security_invoker = true) as
select topic, partition, log_offset, code, reason, consumer_id, event_id, tool_id, received_at, stored_at,
       replayed_at, replayed_to_partition, replayed_to_offset, record
from usage.dead_letter;

-- Appending is the gateway's, dead letters are the aggregator's: of them the gateway may change nothing but this mark.
create function usage.mark_replayed(
  of_topic text, of_partition int, of_offset bigint, at timestamptz, to_partition int, to_offset bigint
) returns void
language sql security definer set search_path = pg_catalog
as $$
  update usage.dead_letter
  set replayed_at = at, replayed_to_partition = to_partition, replayed_to_offset = to_offset
  where topic = of_topic and partition = of_partition and log_offset = of_offset
$$;

revoke execute on function usage.mark_replayed(text, int, bigint, timestamptz, int, bigint) from public;
grant execute on function usage.mark_replayed(text, int, bigint, timestamptz, int, bigint) to ingest_gateway_worker;
grant select on usage.dead_letter_v1 to ingest_gateway_worker;
