-- Whether an event of these ids is counted. Also true if nobody can tell in time: the key table is locked, or slow.
create function usage.may_be_counted(event_ids uuid[]) returns boolean
language plpgsql security definer
set search_path = pg_catalog
set lock_timeout = '250ms'
set enable_seqscan = off -- a plan that was made for small tables stays while they grow
as $$
declare
  gives_up_at constant timestamptz := clock_timestamp() + interval '250 ms';
  ids_per_look constant int := 100;
begin
  for place in 1 .. cardinality(event_ids) by ids_per_look loop
    if clock_timestamp() > gives_up_at or exists (
      select from unnest(event_ids[place : place + ids_per_look - 1]) as wanted (event_id)
      -- Looks for each id in its own hash partition alone.
      cross join lateral (select from usage.event_key_v1 k where k.event_id = wanted.event_id limit 1) as counted
    ) then
      return true;
    end if;
  end loop;
  return false;
exception when lock_not_available then
  return true;
end
$$;

-- As event_log.append_quietly, unless an event of `event_ids` may be counted: then nothing is appended, and the answer is null.
create function event_log.append_unless_counted(
  event_ids uuid[], topic_name text, partitions int[], record_counts int[], sizes int[], payload bytea, appended timestamptz
) returns bigint[]
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  if usage.may_be_counted(event_ids) then
    return null;
  end if;
  return event_log.append_quietly(topic_name, partitions, record_counts, sizes, payload, appended);
end
$$;

revoke all on function usage.may_be_counted(uuid[]) from public;
revoke all on function event_log.append_unless_counted(uuid[], text, int[], int[], int[], bytea, timestamptz) from public;
grant execute on function event_log.append_unless_counted(uuid[], text, int[], int[], int[], bytea, timestamptz)
  to ingest_gateway_worker;
