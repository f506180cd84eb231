-- An order of the operator may need several refunds, if several charges paid the invoice. The others name the first.
alter table billing.refund add column order_id uuid references billing.refund;
create index refund_of_order on billing.refund (order_id) where order_id is not null;
