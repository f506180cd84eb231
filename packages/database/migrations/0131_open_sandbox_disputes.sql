-- A dispute at the sandbox may stay open: its money and its fee have left the balance, until somebody decides it. Won, the money
-- comes back and the fee does not.
alter table sandbox.dispute drop constraint dispute_status_check;
alter table sandbox.dispute add constraint dispute_status_check check (status in ('open', 'won', 'lost'));
alter table sandbox.dispute add column fee_cents bigint not null default 0 check (fee_cents >= 0);

-- As at Stripe: a dispute that was lost may be won after all, and what is won stays so.
create function sandbox.guard_dispute() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if old.status = 'won' or new.status = 'open' then
    raise exception 'dispute % is % and does not become %', old.dispute_id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_status before update of status on sandbox.dispute
  for each row execute function sandbox.guard_dispute();
grant update (status) on sandbox.dispute to billing_worker;

create or replace function sandbox.follow_dispute() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update sandbox.balance b set cents = b.cents - new.fee_cents - case when new.status = 'won' then 0 else new.amount_cents end
  where b.part = abs(hashtext(new.dispute_id) % 16);
  return null;
end
$$;
create function sandbox.follow_decision() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update sandbox.balance b set cents = b.cents + new.amount_cents
  where new.status = 'won' and b.part = abs(hashtext(new.dispute_id) % 16);
  return null;
end
$$;
create trigger follow_decision after update of status on sandbox.dispute
  for each row execute function sandbox.follow_decision();
revoke all on function sandbox.guard_dispute(), sandbox.follow_decision() from public;
