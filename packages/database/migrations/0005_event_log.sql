-- The PostgreSQL adapter of the event log. One row is one appended batch of records of one partition, so the cost of an
-- event is its bytes, not a row. Offsets are handed out under the lock of the partition's row, which is held until the
-- commit: a reader never sees offset n + 1 before n. (A plain sequence commits out of order, and a reader skips.)

create table event_log.topic (
  topic      text primary key,
  partitions int not null check (partitions between 1 and 1024)
);

create table event_log.partition (
  topic       text not null references event_log.topic,
  partition   int not null,
  next_offset bigint not null default 0,
  primary key (topic, partition)
) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Segments are days of append time: dropping a day is dropping a table.
create table event_log.record_batch (
  topic        text not null,
  partition    int not null,
  next_offset  bigint not null, -- the offset after the batch's last record: "what is left from x on" is one index range
  record_count int not null check (record_count > 0),
  appended_at  timestamptz not null,
  payload      bytea not null,
  primary key (topic, partition, next_offset, appended_at)
) partition by range (appended_at);

-- JSON of many calls shrinks to a quarter under lz4 at next to no cost. The embedded server is built without it, and its
-- pglz would cost more than the bytes that it saves.
do $$
begin
  alter table event_log.record_batch alter column payload set compression lz4;
exception when feature_not_supported then
  alter table event_log.record_batch alter column payload set storage external;
end
$$;

create function event_log.create_topic(topic_name text, partition_count int) returns int
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  existing int;
begin
  insert into event_log.topic values (topic_name, partition_count) on conflict do nothing;
  insert into event_log.partition (topic, partition)
  select t.topic, p from event_log.topic t, generate_series(0, t.partitions - 1) p where t.topic = topic_name
  on conflict do nothing;
  select partitions into existing from event_log.topic where topic = topic_name;
  return existing; -- an existing topic keeps its number, whatever was asked for
end
$$;

-- Makes the day's segment. Built aside and attached, which readers and appenders do not notice: `create table …
-- partition of` would lock them out.
create function event_log.ensure_segment(day date) returns void
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  segment text := 'record_batch_' || to_char(day, 'YYYYMMDD');
begin
  perform pg_advisory_xact_lock(hashtext('event_log.segments'));
  if to_regclass('event_log.' || segment) is not null then
    return;
  end if;
  execute format('create table event_log.%I (like event_log.record_batch including all)', segment);
  execute format(
    'alter table event_log.record_batch attach partition event_log.%I for values from (%L) to (%L)',
    segment, to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00'
  );
end
$$;

-- Appends one batch to each of the named partitions, in the order given (the caller sorts them, so that two appenders
-- never wait for each other in a circle), and answers the first offset of each. All batches come in one `payload`, cut
-- by `sizes`: one binary parameter, where an array of bytea would be sent as hexadecimal text. It tells nobody: NOTIFY wakes
-- a process of the server for every connection that listens to anything, which costs a third of an append. The appender
-- tells readers itself, at most every 50 ms.
create function event_log.append(
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

-- As append, unless an event of `event_ids` may be counted: then nothing is appended, and the answer is null.
create function event_log.append_unless_counted(
  event_ids uuid[], topic_name text, partitions int[], record_counts int[], sizes int[], payload bytea, appended timestamptz
) returns bigint[]
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  if usage.may_be_counted(event_ids) then
    return null;
  end if;
  return event_log.append(topic_name, partitions, record_counts, sizes, payload, appended);
end
$$;

revoke all on all functions in schema event_log from public;
grant execute on function event_log.create_topic(text, int) to ingest_gateway_worker, aggregator_worker;
grant execute on function event_log.ensure_segment(date) to ingest_gateway_worker, aggregator_worker;
grant execute on function
  event_log.append(text, int[], int[], int[], bytea, timestamptz),
  event_log.append_unless_counted(uuid[], text, int[], int[], int[], bytea, timestamptz)
  to ingest_gateway_worker;
grant select on event_log.topic, event_log.partition, event_log.record_batch to aggregator_worker, ingest_gateway_worker;
