-- Earnings collected and in no payout, by the month of the calls: released lines, what refunds took back of them, and shares in
-- the processor's fees. The payout of a month takes no money of later months, so these are summed up by month.
create view billing.unpaid_earning with (security_barrier = true) as
select s.builder_id, coalesce(l.adjustment_of, i.period) as period, false as is_fee_share, s.earning_micros, s.fee_micros
from (
  select invoice_id, place, builder_id, earning_micros, fee_micros from billing.released_line where payout_id is null
  union all
  select invoice_id, place, builder_id, -earning_micros, -fee_micros from billing.refunded_line where payout_id is null
) as s
join billing.invoice_line l using (invoice_id, place) join billing.invoice i using (invoice_id)
union all
select f.builder_id, i.period, true, -f.amount_micros, 0
from billing.processor_fee_share f
join billing.processor_attempt a using (attempt_id) join billing.invoice i on i.invoice_id = a.subject_id
where f.payout_id is null;

create view billing.own_unpaid_earning with (security_barrier = true) as
select * from billing.unpaid_earning where builder_id = (select auth.current_account_id());

grant select on billing.unpaid_earning to billing_worker;
grant select on billing.own_unpaid_earning to billing_api, billing_worker;
