-- An amount at the processor that is not the ordered one: an alarm for the operator, kept until it is right.
alter table billing.processor_attempt add column other_amount_cents bigint;
grant update (other_amount_cents) on billing.processor_attempt to billing_worker;
create index attempt_of_other_amount on billing.processor_attempt (attempt_id) where other_amount_cents is not null;

-- The operator's lists over all accounts, newest first, and by one filter.
create index invoice_by_time on billing.invoice (issued_at desc, invoice_id desc);
create index invoice_by_status on billing.invoice (status, issued_at desc, invoice_id desc);
create index invoice_by_period on billing.invoice (period, issued_at desc, invoice_id desc);
create index payout_by_time on billing.payout (created_at desc, payout_id desc);
create index payout_by_status on billing.payout (status, created_at desc, payout_id desc);
