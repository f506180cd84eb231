-- For a refund of a balance: what the gate has spent and holds of it. The row is locked until the refund is stored, and a
-- settlement that would make it waits, so no call is authorized on money that is on its way back to a card. No row: the gate
-- does not bound the account by its balance.
create function gate.lock_balance_cap(account uuid) returns table (spent_micros bigint, held_micros bigint)
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  insert into gate.settlement as s (account_id, seq) values (account, 1)
    on conflict (account_id) do update set seq = s.seq + 1;
  return query select c.spent_micros, c.held_micros from gate.cap_state c
    where c.scope = 'balance' and c.owner_id = account for update;
end
$$;
revoke all on function gate.lock_balance_cap(uuid) from public;
grant execute on function gate.lock_balance_cap(uuid) to billing_worker;
