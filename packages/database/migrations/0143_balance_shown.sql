-- An account sees what it can spend of its balance: by the function and the row that decide about its calls.
create function billing.own_spending_power_v1(at timestamptz)
returns table (balance_micros numeric, owed_micros numeric, billed_micros numeric, credit_limit_micros numeric)
language sql stable security definer set search_path = pg_catalog
as $$
  select p.balance_micros, p.owed_micros, p.billed_micros, p.credit_limit_micros
  from billing.spending_power_v2(array[auth.current_account_id()], at) p
$$;
revoke all on function billing.own_spending_power_v1(timestamptz) from public;
grant execute on function billing.own_spending_power_v1(timestamptz) to billing_api, billing_worker;

create policy owners_read on gate.cap_state for select to billing_api
  using (account_id = (select auth.current_account_id()));
grant select on gate.cap_state, gate.cap_state_v1 to billing_api;
