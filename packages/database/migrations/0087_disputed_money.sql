-- Money that the processor withdrew for a dispute and has neither given back nor taken for good. It is no cash meanwhile, and
-- stands in the ledger account `disputed`.
alter table billing.ledger_account drop constraint ledger_account_kind_check;
alter table billing.ledger_account add constraint ledger_account_kind_check check (kind in (
  'receivable', 'builder_earned', 'builder_payable', 'platform_fees', 'cash', 'processor_fees', 'in_transit', 'rounding',
  'consumer_balance', 'promotions', 'disputed'
));
alter table billing.dispute
  add column held_cents billing.micros not null default 0 check (held_cents >= 0), -- as far as it is posted
  add column held_postings integer not null default 0;
grant update (held_cents, held_postings) on billing.dispute to billing_worker;
