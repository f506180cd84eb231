-- A processor has a maximum amount of one charge. An invoice above it is charged in parts, one after the other. The money of a
-- part waits in the ledger account `part_paid` of its consumer until the last charge pays the invoice.
alter table billing.ledger_account drop constraint ledger_account_kind_check;
alter table billing.ledger_account add constraint ledger_account_kind_check check (kind in (
  'receivable', 'builder_earned', 'builder_payable', 'platform_fees', 'cash', 'processor_fees', 'in_transit', 'rounding',
  'consumer_balance', 'promotions', 'disputed', 'part_paid'
));
-- What charges paid before the last one, also once the invoice is paid.
alter table billing.invoice
  add column part_paid_cents billing.micros not null default 0 check (part_paid_cents between 0 and total_cents);
grant update (part_paid_cents) on billing.invoice to billing_worker;
-- Null: nothing of it went back to a charge, or it is from before, when an invoice had one charge.
alter table billing.refund add column charge_object_id text;

-- As before; what a charge has paid of an invoice is not owed any more.
create or replace function billing.spending_power_v1(accounts uuid[], at timestamptz)
returns table (
  consumer_id uuid, balance_micros numeric, owed_micros numeric, credit_limit_micros numeric, is_past_due boolean,
  has_payment_method boolean
)
language sql stable security definer set search_path = pg_catalog
as $$
  select a.account_id,
    (select coalesce(sum(c.left_cents), 0) * 10000 from billing.balance_credit c
      where c.account_id = a.account_id and c.left_cents > 0 and (c.expires_at is null or c.expires_at > at)
        and not exists (select from billing.dispute d where d.top_up_id = c.top_up_id and d.status = 'open')),
    coalesce(i.unpaid_cents, 0) * 10000 + coalesce((select l.carried_out_micros from billing.invoice l
      where l.consumer_id = a.account_id order by l.period desc limit 1), 0),
    (select l.limit_cents * 10000 from billing.credit_limit l where l.account_id = a.account_id),
    coalesce(i.is_past_due, false),
    exists (select from billing.processor_customer p where p.account_id = a.account_id and p.payment_method_id is not null)
  from unnest(accounts) as a (account_id)
  cross join lateral (
    select sum(o.total_cents - o.part_paid_cents - (select coalesce(-sum(m.amount_cents), 0) from billing.balance_move m
        where m.invoice_id = o.invoice_id and m.business_key not like 'refund:%')) as unpaid_cents,
      bool_or(o.status in ('past_due', 'uncollectible')) as is_past_due
    from billing.invoice o where o.consumer_id = a.account_id and o.status in ('open', 'past_due', 'uncollectible')
  ) i
$$;
