-- Counted events, their keys, and the records that were not counted. Only the aggregator writes them; others read the views at
-- the end.

create table usage.log_topic (
  topic      text primary key,
  partitions int not null
);

-- The fence, and the watermark of each partition: see the aggregator's sql/advance-cursor.ts.
create table usage.cursor (
  topic            text not null,
  partition        int not null,
  next_offset      bigint not null default 0,
  counted_through  timestamptz not null default '-infinity',
  key_archives     int not null default 0, -- how many archives a flush must know, see usage.key_archive
  -- The last counted record, by which the log is distinguished from another of the same name. Offsets do not tell them apart: a topic
  -- that was made anew counts from 0 again, and grows beyond the cursor. Null: none was counted yet, or the log lies beside
  -- the cursor in this database.
  last_offset      bigint,
  last_appended_at timestamptz,
  last_hash        bytea,
  primary key (topic, partition),
  constraint last_record_is_whole check (num_nulls(last_offset, last_appended_at, last_hash) in (0, 3))
) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

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

-- The secret of the ids of events with a key: without it, somebody who knows an account could find its keys by trying.
create table usage.event_id_secret (
  is_only boolean primary key default true check (is_only),
  secret  text    not null check (length(secret) = 43) -- 32 bytes, base64url
);

insert into usage.event_id_secret (secret)
select rtrim(translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/', '-_'), '=');

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

-- The number of partitions is decided before the first key is counted: moving keys later would hold up counting for hours. 16
-- suit some two thousand million keys (docs/operations.md).
create function usage.set_key_partitions(wanted int) returns void
language plpgsql set search_path = pg_catalog
as $$
declare
  part regclass;
begin
  if wanted not between 1 and 1024 then
    raise exception 'the number of partitions must be from 1 to 1024' using errcode = 'invalid_parameter_value';
  end if;
  lock table usage.event_key in access exclusive mode;
  if (select count(*) from pg_inherits where inhparent = 'usage.event_key'::regclass) = wanted then
    return;
  end if;
  if exists (select from usage.event_key) then
    raise exception 'the table of keys has keys already, so its partitions stay as they are'
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'usage.event_key'::regclass loop
    execute format('drop table %s', part);
  end loop;
  for i in 0 .. wanted - 1 loop
    execute format('create table usage.%I partition of usage.event_key for values with (modulus %s, remainder %s)',
      'event_key_' || lpad(i::text, greatest(2, length(i::text)), '0'), wanted, i);
  end loop;
end
$$;

-- Keys of events from years ago may leave the table of keys for a file (ADR 121). A key is at every moment in the table, in an
-- archive that every flush knows, or in both. The cursor's row says to each flush how many archives there are, under the
-- lock that the flush takes anyway: a flush that knows fewer is rolled back, opens them, and begins again.
create table usage.key_archive (
  archive_id   int         primary key check (archive_id > 0),
  file_name    text        not null unique check (file_name ~ '^[a-z0-9.-]+$'),
  older_than   timestamptz not null,
  state        text        not null default 'writing' check (state in ('writing', 'known', 'done')),
  keys         bigint,
  bytes        bigint,
  sha256       bytea,
  removed_keys bigint      not null default 0, -- the first keys of the file, in its order
  created_at   timestamptz not null,
  check (state = 'writing' or (keys is not null and bytes is not null and length(sha256) = 32))
);
create unique index key_archive_at_work on usage.key_archive ((true)) where state <> 'done';

-- A partition that is added later has a flush know the archives, too.
create function usage.note_key_archives() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  new.key_archives := coalesce((select max(archive_id) from usage.key_archive where state <> 'writing'), 0);
  return new;
end
$$;
create trigger note_key_archives before insert on usage.cursor
  for each row execute function usage.note_key_archives();

-- From here on every flush looks into the archive. It waits for the flushes under way, and for cursors that are being made.
create function usage.know_key_archive(id int, of_keys bigint, of_bytes bigint, of_sha256 bytea) returns void
language plpgsql set search_path = pg_catalog as $$
begin
  lock table usage.cursor in share row exclusive mode;
  update usage.key_archive set state = 'known', keys = of_keys, bytes = of_bytes, sha256 = of_sha256
  where archive_id = id and state = 'writing';
  if not found then
    raise exception 'archive % is not being written', id using errcode = 'object_not_in_prerequisite_state';
  end if;
  update usage.cursor set key_archives = id;
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
  pass_id         uuid, -- the pass that paid for it
  primary key (consumer_id, occurred_at, event_id)
) partition by range (occurred_at);
create index event_by_tool on usage.event (tool_id, occurred_at, event_id);
-- Events with a key are found through usage.event_key.
create index event_without_key on usage.event (event_id) where idempotency_key is null;
create index event_by_pass on usage.event (pass_id, occurred_at, event_id) where pass_id is not null;

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
  -- Set when the operator has appended it to the log again: when, and where it went.
  replayed_at timestamptz,
  replayed_to_partition int,
  replayed_to_offset bigint,
  primary key (topic, partition, log_offset),
  check ((replayed_at is null) = (replayed_to_partition is null) and (replayed_at is null) = (replayed_to_offset is null))
);
create index dead_letter_by_consumer on usage.dead_letter (consumer_id, received_at) where consumer_id is not null;
create index dead_letter_by_age on usage.dead_letter (stored_at, topic, partition, log_offset);
create index dead_letter_waiting on usage.dead_letter (code) where replayed_at is null; -- a metric counts them

-- Appending is the gateway's, dead letters are the aggregator's: the gateway may change nothing of them but this mark.
create function usage.mark_replayed(
  of_topic text, of_partition int, of_offset bigint, at timestamptz, to_partition int, to_offset bigint
) returns void
language sql security definer set search_path = pg_catalog
as $$
  update usage.dead_letter
  set replayed_at = at, replayed_to_partition = to_partition, replayed_to_offset = to_offset
  where topic = of_topic and partition = of_partition and log_offset = of_offset
$$;

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

revoke all on all functions in schema usage from public;
grant execute on function usage.ensure_day(date), usage.drop_days_before(date), usage.drop_log_segments_before(date)
  to aggregator_worker;
grant execute on function usage.mark_replayed(text, int, bigint, timestamptz, int, bigint) to ingest_gateway_worker;

-- A consumer sees its own; a builder what others did with its tools. `_api` roles see nothing without an account.
do $$
declare
  t text;
begin
  foreach t in array array['event', 'event_key', 'dead_letter'] loop
    execute format('alter table usage.%I enable row level security', t);
    execute format('create policy workers on usage.%I to aggregator_worker, billing_worker, ingest_gateway_worker using (true) with check (true)', t);
    execute format('create policy consumers on usage.%I for select to billing_api, ingest_gateway_api
                    using (consumer_id = (select auth.current_account_id()))', t);
  end loop;
end
$$;
create policy builders on usage.event for select to billing_api, ingest_gateway_api
  using (tool_id in (select d.tool_id from billing.tool_directory_v1 d where d.owner_id = (select auth.current_account_id())));

create view usage.event_v1 with (security_invoker = true) as
select consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key, pass_id
from usage.event;

create view usage.event_key_v1 with (security_invoker = true) as
select consumer_id, event_id, body_hash, occurred_at from usage.event_key;

-- The first day of which events are still kept; null while there is none.
create view usage.kept_since_v1 as
select min(to_date(right(c.relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC' as kept_since
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'usage.event'::regclass;

create view usage.refused_v1 with (security_invoker = true) as
select consumer_id, event_id, tool_id, received_at, code, reason as detail, topic, partition, log_offset
from usage.dead_letter where consumer_id is not null;

create view usage.dead_letter_v1 with (security_invoker = true) as
select topic, partition, log_offset, code, reason, consumer_id, event_id, tool_id, received_at, stored_at,
       replayed_at, replayed_to_partition, replayed_to_offset, record
from usage.dead_letter;

-- Billing shows the operator how many wait, and nothing of them.
create view usage.waiting_dead_letters_v1 as
select count(*)::int as waiting, min(stored_at) as oldest_at from usage.dead_letter where replayed_at is null;

create view usage.event_id_secret_v1 as select secret from usage.event_id_secret;

create view usage.key_archive_v1 as
select archive_id, file_name, keys, bytes, sha256, older_than from usage.key_archive where state <> 'writing';

grant select, insert, update on usage.log_topic, usage.cursor to aggregator_worker;
grant select, insert on usage.event_key, usage.event, usage.dead_letter to aggregator_worker;
grant select on usage.key_archive, usage.key_archive_v1, usage.watermark_v1 to aggregator_worker;
-- security_invoker views need the reader's own right to the tables; the services' SQL uses the views alone.
grant select on usage.event, usage.event_key, usage.dead_letter, usage.event_v1, usage.event_key_v1, usage.refused_v1, usage.watermark_v1
  to ingest_gateway_api, ingest_gateway_worker;
grant select on usage.event, usage.event_v1, usage.watermark_v1 to billing_api, billing_worker;
grant select on usage.dead_letter_v1, usage.event_id_secret_v1, usage.key_archive_v1 to ingest_gateway_worker;
grant select on usage.cursor to ingest_gateway_worker; -- where its reply look-up begins to read the log at start
-- Reconcile looks keys of events up, and follows one event into its invoice and payout.
grant select on usage.event_key, usage.event_key_v1, usage.key_archive_v1, usage.kept_since_v1,
  usage.waiting_dead_letters_v1 to billing_worker;
