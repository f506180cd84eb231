-- How far the balance of an account may be exceeded, as the operator set it. No row: there is no such bound.
create table billing.credit_limit (
  account_id  uuid           primary key,
  limit_cents billing.micros not null check (limit_cents >= 0),
  changed_at  timestamptz    not null
);
alter table billing.credit_limit enable row level security;
create policy worker_sets on billing.credit_limit to billing_worker using (true) with check (true);
create policy owners_read on billing.credit_limit for select to billing_api
  using (account_id = (select auth.current_account_id()));
grant select, insert, update, delete on billing.credit_limit to billing_worker;
grant select on billing.credit_limit to billing_api;

-- What the gate must know of the money of accounts: one row per account that it asks for, also for an unknown one.
--   balance_micros       what an invoice could take at this time: no credit that has expired, no disputed top-up
--   owed_micros          what invoices bill and nothing has paid yet, and what the last one carries to the next
--   credit_limit_micros  null: the operator set none
--   is_past_due          an invoice is past due or uncollectible
--   has_payment_method   a card is on file
-- Spending power = balance - owed + credit limit - what no invoice has billed yet - what is held. An invoice moves money from
-- the last but one to owed in the transaction that stores it, so in one snapshot no charge is counted twice or left out.
create function billing.spending_power_v1(accounts uuid[], at timestamptz)
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
    select sum(o.total_cents - (select coalesce(-sum(m.amount_cents), 0) from billing.balance_move m
        where m.invoice_id = o.invoice_id and m.business_key not like 'refund:%')) as unpaid_cents,
      bool_or(o.status in ('past_due', 'uncollectible')) as is_past_due
    from billing.invoice o where o.consumer_id = a.account_id and o.status in ('open', 'past_due', 'uncollectible')
  ) i
$$;
revoke all on function billing.spending_power_v1(uuid[], timestamptz) from public;
grant usage on schema billing to ingest_gateway_worker;
grant execute on function billing.spending_power_v1(uuid[], timestamptz) to ingest_gateway_worker, billing_worker;
