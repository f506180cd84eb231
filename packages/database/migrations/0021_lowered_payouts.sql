-- A failed payout of which refunds took a part is tried again with the rest. So its net may be lowered, but only while no
-- transfer of it stands or has an unknown outcome: otherwise the builder could be paid twice.
alter table billing.payout
  add column held_cents    bigint not null default 0 check (held_cents >= 0), -- what its net was lowered by
  add column failing_since timestamptz; -- the first failure in this row of failures; null: none

update billing.payout p set failing_since = coalesce(
  (select min(t.occurred_at) from generate_series(greatest(p.schedules - p.failures, 0) + 1, p.schedules) as n
   join billing.ledger_transaction t on t.business_key = format('payout:%s:failed:%s', p.payout_id, n)), p.created_at)
where p.status = 'failed';

create function billing.guard_payout_net() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if new.net_cents = old.net_cents and new.held_cents = old.held_cents then
    return new;
  end if;
  if new.net_cents > old.net_cents or new.net_cents + new.held_cents <> old.net_cents + old.held_cents then
    raise exception 'the net of payout % is only lowered, by what it holds back', old.payout_id using errcode = 'check_violation';
  end if;
  if old.status <> 'failed' or exists (
    select from billing.processor_attempt
    where kind = 'transfer' and subject_id = old.payout_id and status in ('unknown', 'succeeded')
  ) then
    raise exception 'payout % may be on its way: its net stays', old.payout_id using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_net before update on billing.payout
  for each row execute function billing.guard_payout_net();

grant update (net_cents, held_cents, failing_since) on billing.payout to billing_worker;
create index payout_failing on billing.payout (failing_since) where status = 'failed';
