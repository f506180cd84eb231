-- The gate bounds what is spent from a balance: of accounts with a credit limit, and with CONSUMER_CREDIT=prepaid of all.
-- A row without a limit is history: gateways follow by changed_seq.
create sequence billing.credit_limit_seq as bigint;
grant usage on sequence billing.credit_limit_seq to billing_worker;
alter table billing.credit_limit alter column limit_cents drop not null;
alter table billing.credit_limit
  add column since timestamptz, -- the account has had a limit from then on; null: it has none
  add column changed_seq bigint not null default nextval('billing.credit_limit_seq');
update billing.credit_limit set since = changed_at;
alter table billing.credit_limit add constraint since_it_has_a_limit check ((limit_cents is null) = (since is null));
create index credit_limit_changed on billing.credit_limit (changed_seq);

create function billing.follow_credit_limit() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  new.changed_seq := nextval('billing.credit_limit_seq');
  new.since := case
    when new.limit_cents is null then null
    when tg_op = 'UPDATE' and old.limit_cents is not null then old.since
    else new.changed_at
  end;
  return new;
end
$$;
create trigger follow_change before insert or update on billing.credit_limit
  for each row execute function billing.follow_credit_limit();

create function billing.announce_credit_limit() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  perform pg_notify('credit_limits_changed', '');
  return null;
end
$$;
create trigger announce_change after insert or update on billing.credit_limit
  for each statement execute function billing.announce_credit_limit();

create view billing.credit_limit_v1 as select account_id, since, changed_seq from billing.credit_limit;
grant select on billing.credit_limit_v1 to ingest_gateway_worker;

-- What an account may spend is decided by what its balance and its invoices are at that moment, so cap_micros of such a row is
-- not read. Its spent_micros are all charges of the account, of all months: an invoice changes nothing of them.
alter table gate.cap_state drop constraint cap_state_scope_check;
alter table gate.cap_state add constraint cap_state_scope_check check (scope in ('account', 'pass', 'balance'));

-- As v1, with what all invoices have billed: spent_micros less that is what no invoice has billed yet.
drop function billing.spending_power_v1(uuid[], timestamptz);
create function billing.spending_power_v2(accounts uuid[], at timestamptz)
returns table (
  consumer_id uuid, balance_micros numeric, owed_micros numeric, billed_micros numeric, credit_limit_micros numeric,
  is_past_due boolean, has_payment_method boolean
)
language sql stable security definer set search_path = pg_catalog
as $$
  select a.account_id,
    (select coalesce(sum(c.left_cents), 0) * 10000 from billing.balance_credit c
      where c.account_id = a.account_id and c.left_cents > 0 and (c.expires_at is null or c.expires_at > at)
        and not exists (select from billing.dispute d where d.top_up_id = c.top_up_id and d.status = 'open')),
    coalesce(i.unpaid_cents, 0) * 10000 + coalesce(last.carried_out_micros, 0),
    coalesce(i.charge_micros, 0),
    (select l.limit_cents * 10000 from billing.credit_limit l where l.account_id = a.account_id),
    coalesce(i.is_past_due, false),
    exists (select from billing.processor_customer p where p.account_id = a.account_id and p.payment_method_id is not null)
  from unnest(accounts) as a (account_id)
  cross join lateral (
    select sum(o.charge_micros) as charge_micros,
      sum(o.total_cents - o.part_paid_cents - (select coalesce(-sum(m.amount_cents), 0) from billing.balance_move m
        where m.invoice_id = o.invoice_id and m.business_key not like 'refund:%'))
        filter (where o.status in ('open', 'past_due', 'uncollectible')) as unpaid_cents,
      bool_or(o.status in ('past_due', 'uncollectible')) as is_past_due
    from billing.invoice o where o.consumer_id = a.account_id
  ) i
  left join lateral (
    select l.carried_out_micros from billing.invoice l where l.consumer_id = a.account_id order by l.period desc limit 1
  ) last on true
$$;
revoke all on function billing.spending_power_v2(uuid[], timestamptz) from public;
grant execute on function billing.spending_power_v2(uuid[], timestamptz) to ingest_gateway_worker, billing_worker;
