-- What an unpaid invoice waits for from its consumer before it is charged again; null: for nothing. It is cleared
-- whenever the invoice becomes due again.
alter table billing.invoice add column waits_for text check (waits_for in ('payment_method', 'authentication'));
grant update (waits_for) on billing.invoice to billing_worker;
create index invoice_waiting on billing.invoice (waits_for) where waits_for is not null; -- a metric counts them every 15 s
