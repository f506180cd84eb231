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
  removed_keys bigint      not null default 0, -- of the file, in its order
  created_at   timestamptz not null,
  check (state = 'writing' or (keys is not null and bytes is not null and length(sha256) = 32))
);
create unique index key_archive_at_work on usage.key_archive ((true)) where state <> 'done';

alter table usage.cursor add column key_archives int not null default 0;

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
revoke all on function usage.know_key_archive(int, bigint, bigint, bytea) from public;

-- An aggregator of an earlier version knows no archives. So there are none until `tollgate finish-upgrade`.
create table usage.key_archive_rule (
  is_only    boolean primary key default true check (is_only),
  is_allowed boolean not null
);
insert into usage.key_archive_rule (is_allowed) select not exists (select from usage.cursor);

create function usage.allow_key_archives() returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  update usage.key_archive_rule set is_allowed = true where not is_allowed;
  return found;
end
$$;
revoke all on function usage.allow_key_archives() from public;

create view usage.key_archive_v1 as
select archive_id, file_name, keys, bytes, sha256 from usage.key_archive where state <> 'writing';

grant select on usage.key_archive, usage.key_archive_v1 to aggregator_worker;
grant select on usage.key_archive_v1 to ingest_gateway_worker;
