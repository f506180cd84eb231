-- A credit note: the document of a refund, with a number of its own. The invoice and its print stay as they are. A note never
-- changes. Money back from a lost dispute that was won has a note below zero. Refunds of stray money have none, since they
-- lower no invoice.
create table billing.credit_note (
  number       bigint         primary key check (number > 0), -- without gaps
  refund_id    uuid           not null unique,
  invoice_id   uuid           not null,
  consumer_id  uuid           not null,
  amount_cents billing.micros not null check (amount_cents <> 0),
  issued_at    timestamptz    not null
);
create index credit_note_of_consumer on billing.credit_note (consumer_id, number);

-- Until now no refund of stray money bore its mark. Those are the ones whose charge or dispute has a stray's posting; here it
-- is enough that no line gave them.
update billing.refund r set stray_attempt_id = (
    select a.attempt_id from billing.processor_attempt a join billing.ledger_transaction t on t.business_key = 'stray-charge:' || a.attempt_id
    where a.kind = 'charge' and a.subject_id = r.invoice_id order by a.number limit 1)
where r.cause in ('dispute', 'processor', 'reinstated') and not exists (select from billing.refunded_line l where l.refund_id = r.refund_id);

insert into billing.credit_note (number, refund_id, invoice_id, consumer_id, amount_cents, issued_at)
select row_number() over (order by r.succeeded_at, r.refund_id), r.refund_id, r.invoice_id, i.consumer_id, r.amount_cents, r.succeeded_at
from billing.refund r join billing.invoice i using (invoice_id)
where r.status = 'succeeded' and r.stray_attempt_id is null;

alter table billing.credit_note enable row level security;
create policy worker_settles on billing.credit_note to billing_worker using (true) with check (true);
create policy consumers_read on billing.credit_note for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
create trigger append_only before update or delete or truncate on billing.credit_note
  for each statement execute function billing.refuse_change();
grant select, insert on billing.credit_note to billing_worker;
grant select on billing.credit_note to billing_api;
