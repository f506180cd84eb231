-- How many partitions the table of keys has. It is decided before the first key is counted: moving keys later would hold up
-- counting for hours. 16 suit some two thousand million keys (docs/operations.md).
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
revoke all on function usage.set_key_partitions(int) from public;
