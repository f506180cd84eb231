-- Forecasts of what accounts spend, and warnings of it.

-- Published to billing: what an account may spend in a window.
create view gate.budget_v1 with (security_invoker = true) as
select account_id, amount_micros, window_kind from gate.budget where amount_micros is not null;
create policy owners_read on gate.budget for select to billing_api
  using (account_id = (select auth.current_account_id()));
grant select (account_id, amount_micros, window_kind) on gate.budget to billing_worker, billing_api;
grant select on gate.budget_v1 to billing_worker, billing_api;
