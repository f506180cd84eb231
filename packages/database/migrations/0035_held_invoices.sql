-- Invoices above the bound of one collection. The operator confirms each before it is charged. A row without confirmed_at
-- holds its invoice; nothing is held again once it was confirmed.
create table billing.held_invoice (
  invoice_id   uuid        primary key,
  limit_cents  billing.micros not null, -- the bound when it was held
  held_at      timestamptz not null,
  confirmed_at timestamptz
);
create index held_invoice_waiting on billing.held_invoice (held_at) where confirmed_at is null;

alter table billing.held_invoice enable row level security;
create policy worker_settles on billing.held_invoice to billing_worker using (true) with check (true);
create policy consumers_read on billing.held_invoice for select to billing_api
  using (invoice_id in (select i.invoice_id from billing.invoice i where i.consumer_id = (select auth.current_account_id())));
create trigger append_only before delete or truncate on billing.held_invoice
  for each statement execute function billing.refuse_change();
grant select, insert, update (confirmed_at) on billing.held_invoice to billing_worker;
grant select on billing.held_invoice to billing_api;
