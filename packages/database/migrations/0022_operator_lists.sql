-- An amount at the processor that is not the ordered one: an alarm for the operator, kept until it is right.
alter table billing.processor_attempt add column other_amount_cents bigint;
grant update (other_amount_cents) on billing.processor_attempt to billing_worker;
create index attempt_of_other_amount on billing.processor_attempt (attempt_id) where other_amount_cents is not null;
