-- The lines of an invoice with very many lines, while a close makes it: they are rated in parts, and their sum must be known
-- before the invoice is stored. A row lives no longer than its transaction, so the table is not logged.
create unlogged table billing.drafted_line (
  like billing.invoice_line,
  primary key (invoice_id, place)
);

alter table billing.drafted_line enable row level security;
create policy worker_closes on billing.drafted_line to billing_worker using (true) with check (true);
grant select, insert, delete on billing.drafted_line to billing_worker;
