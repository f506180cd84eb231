-- As event_log.append, but tells nobody: NOTIFY wakes a process of the server for every connection that listens to
-- anything, which costs a third of an append. The appender tells readers itself, at most every 50 ms. The function with
-- NOTIFY stays for appenders of the earlier version.
create function event_log.append_quietly(
  topic_name text, partitions int[], record_counts int[], sizes int[], payload bytea, appended timestamptz
) returns bigint[]
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  first_offsets bigint[] := '{}';
  next bigint;
  position int := 1;
begin
  for i in 1 .. cardinality(partitions) loop
    update event_log.partition p set next_offset = p.next_offset + record_counts[i]
    where p.topic = topic_name and p.partition = partitions[i]
    returning p.next_offset into next;
    if not found then
      raise exception 'topic % has no partition %', topic_name, partitions[i] using errcode = 'undefined_object';
    end if;
    insert into event_log.record_batch (topic, partition, next_offset, record_count, appended_at, payload)
    values (topic_name, partitions[i], next, record_counts[i], appended, substring(payload from position for sizes[i]));
    first_offsets := first_offsets || (next - record_counts[i]);
    position := position + sizes[i];
  end loop;
  return first_offsets;
end
$$;

create or replace function event_log.append(
  topic_name text, partitions int[], record_counts int[], sizes int[], payload bytea, appended timestamptz
) returns bigint[]
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform pg_notify('event_log', topic_name);
  return event_log.append_quietly(topic_name, partitions, record_counts, sizes, payload, appended);
end
$$;

revoke all on function event_log.append_quietly(text, int[], int[], int[], bytea, timestamptz) from public;
grant execute on function event_log.append_quietly(text, int[], int[], int[], bytea, timestamptz) to ingest_gateway_worker;
