-- Who bills whom. `billing_details` is what a consumer wants on its next invoices. The other two tables keep what an
-- invoice said when it was issued, so that its print never changes. Invoices of before have no rows there.
create table billing.billing_details (
  account_id uuid        primary key,
  details    jsonb       not null check (jsonb_typeof(details) = 'object'),
  changed_at timestamptz not null
);
alter table billing.billing_details enable row level security;
create policy own on billing.billing_details to billing_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
create policy worker_closes on billing.billing_details for select to billing_worker using (true);
grant select, insert, update (details, changed_at) on billing.billing_details to billing_api;
grant select on billing.billing_details to billing_worker;

create table billing.invoice_parties (
  invoice_id uuid  primary key,
  issuer     jsonb not null,
  buyer      jsonb -- null: the consumer had given no details
);
create table billing.invoice_tool (
  invoice_id uuid not null,
  tool_id    text not null,
  name       text not null,
  primary key (invoice_id, tool_id)
);
alter table billing.invoice_parties enable row level security;
alter table billing.invoice_tool enable row level security;
create policy worker_closes on billing.invoice_parties to billing_worker using (true) with check (true);
create policy worker_closes on billing.invoice_tool to billing_worker using (true) with check (true);
create policy consumers_read on billing.invoice_parties for select to billing_api
  using (invoice_id in (select i.invoice_id from billing.invoice i where i.consumer_id = (select auth.current_account_id())));
create policy consumers_read on billing.invoice_tool for select to billing_api
  using (invoice_id in (select i.invoice_id from billing.invoice i where i.consumer_id = (select auth.current_account_id())));
create trigger append_only before update or delete or truncate on billing.invoice_parties
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.invoice_tool
  for each statement execute function billing.refuse_change();
grant select, insert on billing.invoice_parties, billing.invoice_tool to billing_worker;
grant select on billing.invoice_parties, billing.invoice_tool to billing_api;
