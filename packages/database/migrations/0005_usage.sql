-- What was counted. Written by the aggregator alone; others read the views at the end.

create table usage.log_topic (
  topic      text primary key,
  partitions int not null
);

-- The fence, and the watermark of each partition: see the aggregator's sql/advance-cursor.ts.
create table usage.cursor (
  topic           text not null,
  partition       int not null,
  next_offset     bigint not null default 0,
  counted_through timestamptz not null default '-infinity',
  primary key (topic, partition)
) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Every idempotency key ever counted. The id is a hash of account and key, so it alone is the key. Never dropped.
create table usage.event_key (
  event_id    uuid not null,
  consumer_id uuid not null,
  body_hash   bytea not null,
  occurred_at timestamptz not null,
  primary key (event_id)
) partition by hash (event_id);

do $$
begin
  for i in 0 .. 15 loop
    execute format(
      'create table usage.event_key_%s partition of usage.event_key for values with (modulus 16, remainder %s)',
      lpad(i::text, 2, '0'), i
    );
  end loop;
end
$$;

-- Every counted event while its day is kept. Time stands before the id in the key: lists are read in that order, and a
-- record that the log hands out twice has the same time in both.
create table usage.event (
  consumer_id     uuid not null,
  event_id        uuid not null,
  tool_id         text not null,
  occurred_at     timestamptz not null,
  received_at     timestamptz not null,
  success         boolean not null,
  duration_ms     bigint,
  metadata        jsonb,
  idempotency_key text,
  primary key (consumer_id, occurred_at, event_id)
) partition by range (occurred_at);

create index event_by_tool on usage.event (tool_id, occurred_at, event_id);
-- Events with a key are found through usage.event_key.
create index event_without_key on usage.event (event_id) where idempotency_key is null;

create table usage.rollup (
  consumer_id uuid not null,
  tool_id     text not null,
  hour        timestamptz not null,
  success     boolean not null,
  calls       bigint not null check (calls > 0),
  duration_ms bigint not null check (duration_ms >= 0),
  primary key (consumer_id, tool_id, hour, success)
) with (fillfactor = 70);

create index rollup_by_tool on usage.rollup (tool_id, hour);

-- Sums of the metadata keys that the tool's price in force at the hour sums.
create table usage.rollup_measure (
  consumer_id uuid not null,
  tool_id     text not null,
  hour        timestamptz not null,
  success     boolean not null,
  key         text not null,
  total       numeric not null check (total >= 0),
  primary key (consumer_id, tool_id, hour, success, key)
) with (fillfactor = 70);

create index rollup_measure_by_tool on usage.rollup_measure (tool_id, hour);

-- Records that were not counted: those nobody can read, and known keys with another body (which have an account).
create table usage.dead_letter (
  topic       text not null,
  partition   int not null,
  log_offset  bigint not null,
  code        text not null,
  reason      text not null,
  consumer_id uuid,
  event_id    uuid,
  tool_id     text,
  received_at timestamptz,
  stored_at   timestamptz not null,
  record      bytea not null,
  primary key (topic, partition, log_offset)
);

create index dead_letter_by_consumer on usage.dead_letter (consumer_id, received_at) where consumer_id is not null;

-- Days are built aside and attached: nobody who reads or writes the other days waits.
create function usage.ensure_day(day date) returns void
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  name text := 'event_' || to_char(day, 'YYYYMMDD');
begin
  perform pg_advisory_xact_lock(hashtext('usage.days'));
  if to_regclass('usage.' || name) is not null then
    return;
  end if;
  execute format('create table usage.%I (like usage.event including all)', name);
  execute format(
    'alter table usage.event attach partition usage.%I for values from (%L) to (%L)',
    name, to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00'
  );
end
$$;

-- The watermark of the topic: an event acknowledged with a receipt time before it is in the sums. The minimum over all
-- partitions that the log has; one without a cursor holds it back.
create view usage.watermark_v1 as
select case when count(c.partition) filter (where c.counted_through > '-infinity') >= t.partitions
            then min(c.counted_through)
            else 'epoch'::timestamptz
       end as counted_through
from usage.log_topic t left join usage.cursor c on c.topic = t.topic and c.partition < t.partitions
where t.topic = 'usage.events.v1'
group by t.topic, t.partitions;

-- Drops the days before `first_kept` whose every event is counted for good: a day may go once the watermark has passed
-- its end by a day, since until then an accepted event of that day may still be on its way. Answers what it dropped.
-- Dropping needs a moment alone with the table: it gives up after 100 ms rather than keep anybody waiting, and its
-- caller tries again later.
create function usage.drop_days_before(first_kept date) returns text[]
language plpgsql security definer set search_path = pg_catalog set lock_timeout = '100ms'
as $$
declare
  dropped text[] := '{}';
  child text;
  day date;
  counted timestamptz := (select counted_through from usage.watermark_v1);
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage.event'::regclass order by 1
  loop
    day := to_date(right(child, 8), 'YYYYMMDD');
    continue when day >= first_kept;
    continue when counted is null or (day + 2)::timestamp at time zone 'UTC' > counted;
    execute format('drop table usage.%I', child);
    dropped := dropped || child;
  end loop;
  return dropped;
end
$$;

-- Likewise the log's segments: a segment goes once every record in it is below the cursor. Each partition's last offset is
-- one look into the index: reading a busy day's segment whole would outlast the statement's time, and nothing would go.
create function usage.drop_log_segments_before(first_kept date) returns text[]
language plpgsql security definer set search_path = pg_catalog set lock_timeout = '100ms'
as $$
declare
  dropped text[] := '{}';
  child text;
  has_uncounted boolean;
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'event_log.record_batch'::regclass order by 1
  loop
    continue when to_date(right(child, 8), 'YYYYMMDD') >= first_kept;
    execute format(
      'select exists (
         select from event_log.partition p left join usage.cursor c using (topic, partition)
         where coalesce(c.next_offset, 0) < (select max(s.next_offset) from event_log.%I s
                                             where s.topic = p.topic and s.partition = p.partition))', child
    ) into has_uncounted;
    continue when has_uncounted;
    execute format('drop table event_log.%I', child);
    dropped := dropped || child;
  end loop;
  return dropped;
end
$$;

revoke all on all functions in schema usage from public;
grant execute on function usage.ensure_day(date), usage.drop_days_before(date), usage.drop_log_segments_before(date)
  to aggregator_worker;
grant select, insert, update on usage.log_topic, usage.cursor, usage.rollup, usage.rollup_measure to aggregator_worker;
grant select, insert on usage.event_key, usage.event, usage.dead_letter to aggregator_worker;
grant delete on usage.rollup, usage.rollup_measure to aggregator_worker; -- rebuild-rollups alone
grant select on billing.tool_price_v1 to aggregator_worker;

-- A consumer sees its own; a builder what others did with its tools. `_api` roles see nothing without an account.
alter table usage.event enable row level security;
alter table usage.event_key enable row level security;
alter table usage.rollup enable row level security;
alter table usage.rollup_measure enable row level security;
alter table usage.dead_letter enable row level security;

do $$
declare
  t text;
begin
  foreach t in array array['event', 'event_key', 'rollup', 'rollup_measure', 'dead_letter'] loop
    execute format('create policy workers on usage.%I to aggregator_worker, billing_worker, ingest_gateway_worker using (true) with check (true)', t);
    execute format('create policy consumers on usage.%I for select to billing_api, ingest_gateway_api
                    using (consumer_id = (select auth.current_account_id()))', t);
  end loop;
  foreach t in array array['event', 'rollup', 'rollup_measure'] loop
    execute format('create policy builders on usage.%I for select to billing_api, ingest_gateway_api
                    using (tool_id in (select d.tool_id from billing.tool_directory_v1 d
                                       where d.owner_id = (select auth.current_account_id())))', t);
  end loop;
end
$$;

grant execute on function auth.current_account_id() to public;
grant select on billing.tool_directory_v1, billing.tool_price_v1 to billing_api, ingest_gateway_api;

create view usage.rollup_v1 with (security_invoker = true) as
select consumer_id, tool_id, hour, success, calls, duration_ms from usage.rollup;

create view usage.rollup_measure_v1 with (security_invoker = true) as
select consumer_id, tool_id, hour, success, key, total from usage.rollup_measure;

create view usage.event_v1 with (security_invoker = true) as
select consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key
from usage.event;

create view usage.event_key_v1 with (security_invoker = true) as
select consumer_id, event_id, body_hash, occurred_at from usage.event_key;

create view usage.refused_v1 with (security_invoker = true) as
select consumer_id, event_id, tool_id, received_at, code, reason as detail, topic, partition, log_offset
from usage.dead_letter where consumer_id is not null;

-- security_invoker views need the reader's own right to the tables; the services' SQL uses the views alone.
grant select on usage.rollup, usage.rollup_measure, usage.rollup_v1, usage.rollup_measure_v1, usage.watermark_v1
  to billing_api, billing_worker;
grant select on usage.event, usage.event_key, usage.dead_letter, usage.event_v1, usage.event_key_v1, usage.refused_v1, usage.watermark_v1
  to ingest_gateway_api, ingest_gateway_worker;
grant select on usage.event, usage.event_v1, usage.watermark_v1 to billing_api, billing_worker;
grant select on usage.watermark_v1 to aggregator_worker;
grant select on usage.cursor to ingest_gateway_worker; -- where its reply look-up begins to read the log at start
