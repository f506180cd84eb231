-- Parts of passes: whoever holds a pass splits its budget for its helpers. What a part spends, all above it spend too.

-- The passes that it is a part of, the root first; null for a pass that its account made. It never changes. A tree has 4 levels.
alter table gate.pass add column ancestor_ids uuid[] check (cardinality(ancestor_ids) between 1 and 3);
alter table gate.pass add column parent_id uuid generated always as (ancestor_ids[cardinality(ancestor_ids)]) stored;
create index pass_part on gate.pass using gin (ancestor_ids) where ancestor_ids is not null;
create index pass_part_of_account on gate.pass (account_id) where ancestor_ids is not null;
create index pass_of_parent on gate.pass (parent_id, created_at desc, pass_id desc)
  where parent_id is not null and revoked_at is null;

-- A pass is revoked with its parts, by whatever way, in the same transaction. One that is made at this moment locks the
-- passes above it: it comes before, and is seen here, or finds them revoked.
create function gate.revoke_parts() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update gate.pass set revoked_at = new.revoked_at where ancestor_ids @> array[new.pass_id] and revoked_at is null;
  return null;
end $$;
revoke execute on function gate.revoke_parts() from public;
create trigger revoke_parts after update of revoked_at on gate.pass for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function gate.revoke_parts();
