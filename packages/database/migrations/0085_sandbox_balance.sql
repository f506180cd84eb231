-- The platform's balance at the sandbox: charges add to it; refunds, transfers, fees and lost disputes take from it. Summing up
-- all movements for each transfer would cost more with each month, so triggers keep the sum. It lies in parts, so that
-- movements at once seldom wait for each other. `reverses_at` is a time to come: movements that have one are added when read.
create table sandbox.balance (
  part  smallint       primary key check (part between 0 and 15),
  cents billing.micros not null
);
insert into sandbox.balance select part, 0 from generate_series(0, 15) as part;
update sandbox.balance set cents = (
  select coalesce(sum(case kind when 'charge' then amount_cents else -amount_cents end), 0)
  from sandbox.movement where status = 'succeeded'
) - (select coalesce(sum(fee_cents), 0) from sandbox.movement)
  - (select coalesce(sum(amount_cents), 0) from sandbox.dispute where status = 'lost')
where part = 0;
create index movement_reversing on sandbox.movement (reverses_at) where reverses_at is not null;

create function sandbox.follow_movement() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update sandbox.balance b set cents = b.cents - new.fee_cents + case
    when new.status <> 'succeeded' then 0 when new.kind = 'charge' then new.amount_cents else -new.amount_cents end
  where b.part = abs(hashtext(new.object_id) % 16);
  return null;
end
$$;
create trigger follow_movement after insert on sandbox.movement
  for each row execute function sandbox.follow_movement();

create function sandbox.follow_dispute() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update sandbox.balance b set cents = b.cents - new.amount_cents
  where new.status = 'lost' and b.part = abs(hashtext(new.dispute_id) % 16);
  return null;
end
$$;
create trigger follow_dispute after insert on sandbox.dispute
  for each row execute function sandbox.follow_dispute();

revoke all on function sandbox.follow_movement(), sandbox.follow_dispute() from public;
grant select on sandbox.balance to billing_worker;
