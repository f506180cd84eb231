-- Accounts that their owners have closed. Each schema ends what lives of an account (close_account), says what its erasure waits
-- for (erasure_waits_for), and replaces what is personal (erase_account). Auth calls these functions and reads no table of
-- another schema. All are safe to repeat.

-- The list of erasures. A row stays for ever.
create table auth.erasure (
  account_id uuid        primary key references auth.account,
  closed_at  timestamptz not null,
  waits_for  text[]      not null default '{}', -- as somebody saw it last
  looked_at  timestamptz,
  erased_at  timestamptz
);
create index erasure_waiting on auth.erasure (looked_at nulls first) where erased_at is null;
create index erasure_listed on auth.erasure (closed_at desc, account_id desc);
alter table auth.erasure enable row level security;
create policy own_rows on auth.erasure to auth_api using (account_id = (select auth.current_account_id()));
create policy all_rows on auth.erasure to auth_worker using (true);
grant select, insert on auth.erasure to auth_api;
grant select, update (waits_for, looked_at, erased_at) on auth.erasure to auth_worker;

create function auth.erase_account(of_account uuid) returns void
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update auth.account set email = of_account || '@erased.invalid', password_hash = 'erased', email_verified_at = null,
    email_bounced_at = coalesce(email_bounced_at, closed_at), operator_since = null -- nothing is mailed to a bounced address
    where account_id = of_account;
  update auth.account_suspension set reason = 'erased' where account_id = of_account;
  update auth.api_key set name = 'erased' where account_id = of_account;
  delete from auth.totp where account_id = of_account;
  delete from auth.mail_link where account_id = of_account;
  delete from auth.letter where account_id = of_account;
  delete from auth.token_rotation where account_id = of_account;
  delete from auth.session_cookie where account_id = of_account;
  delete from auth.device_login l using auth.session s where l.session_id = s.session_id and s.account_id = of_account;
  delete from auth.oauth_object where payload ->> 'accountId' = of_account::text
    or grant_id in (select g.grant_id from auth.oauth_grant g where g.account_id = of_account);
  update auth.oauth_grant set client_name = 'erased' where account_id = of_account;
  delete from auth.idempotency_reply where account_id = of_account;
  delete from auth.outbox where account_id = of_account or data ->> 'account_id' = of_account::text;
end
$$;

-- ---------------------------------------------------------------- The gate

create function gate.close_account(at timestamptz) returns void
language sql security definer set search_path = pg_catalog
as $$
  update gate.pass set revoked_at = at where account_id = auth.current_account_id() and revoked_at is null
$$;

create function gate.erasure_waits_for(of_account uuid) returns text[]
language sql stable security definer set search_path = pg_catalog
as $$
  select case when exists (select from gate.hold h where h.account_id = of_account and h.state in ('open', 'captured'))
    then array['call'] else '{}' end
$$;

create function gate.erase_account(of_account uuid) returns void
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update gate.pass set name = 'erased', tags = '{}' where account_id = of_account and (name, tags) <> ('erased', '{}'::jsonb);
  update gate.hold set max = '{}', reference = null where of_account in (account_id, asker_id)
    and (max <> '{}' or reference is not null) and state not in ('open', 'captured');
  delete from gate.idempotency_reply where account_id = of_account;
  delete from gate.outbox where account_id = of_account;
end
$$;

-- ---------------------------------------------------------------- The aggregator

-- Erases an hour of the account's calls, from the first that has any, and answers when the next begins; null: it was the last.
-- Numbers that prices sum stay: the nightly check compares them with the rollups.
create function usage.erase_calls(of_account uuid, from_at timestamptz) returns timestamptz
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  first_at timestamptz;
begin
  select min(e.occurred_at) into first_at from usage.event e where e.consumer_id = of_account and e.occurred_at >= from_at;
  if first_at is null then
    return null;
  end if;
  update usage.event e set idempotency_key = case when e.idempotency_key is not null then e.event_id::text end,
    metadata = (select jsonb_object_agg(m.key, m.value) from jsonb_each(e.metadata) m
      where jsonb_typeof(m.value) = 'number' and m.key in
        (select r.key from usage.rollup_measure r where r.consumer_id = of_account and r.tool_id = e.tool_id))
    where e.consumer_id = of_account and e.occurred_at >= first_at and e.occurred_at < first_at + interval '1 hour';
  return first_at + interval '1 hour';
end
$$;

create function usage.erase_account(of_account uuid) returns void
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  delete from usage.dead_letter where consumer_id = of_account;
  delete from usage.outbox where account_id = of_account or data ->> 'consumer_id' = of_account::text;
end
$$;

-- ---------------------------------------------------------------- Billing

create function billing.close_account(at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update billing.tool set archived_at = at where owner_id = auth.current_account_id() and archived_at is null;
  delete from billing.auto_top_up where account_id = auth.current_account_id();
end
$$;

-- month: the month of its last calls has no invoice yet. What is written off or void is settled; what is below the minimum of a
-- payout, or has no payout account, stays in the books.
create function billing.erasure_waits_for(of_account uuid, closed timestamptz) returns text[]
language sql stable security definer set search_path = pg_catalog
as $$
  select array_agg(w.reason order by w.place) filter (where w.waits) from (values
    (1, 'month', not exists (select from billing.closed_period c
        where c.period >= to_char(closed at time zone 'UTC', 'YYYY-MM'))
      or exists (select from billing.unclosed_consumer u where u.consumer_id = of_account)),
    (2, 'invoice', exists (select from billing.invoice i
      where i.consumer_id = of_account and i.status in ('open', 'past_due'))),
    (3, 'dispute', exists (select from billing.dispute d
        left join billing.invoice i using (invoice_id) left join billing.top_up t using (top_up_id)
        where d.status = 'open' and of_account in (i.consumer_id, t.account_id))
      or exists (select from billing.dispute_hold h join billing.dispute d using (dispute_id)
        where h.builder_id = of_account and d.status = 'open')),
    (4, 'payment', exists (select from billing.top_up t where t.account_id = of_account and t.status = 'pending')
      or exists (select from billing.balance_refund_part p where p.account_id = of_account and p.status = 'pending')
      or exists (select from billing.refund r join billing.invoice i using (invoice_id)
        where i.consumer_id = of_account and r.status = 'pending')
      or exists (select from billing.processor_attempt a join billing.invoice i on i.invoice_id = a.subject_id
        where i.consumer_id = of_account and a.status = 'unknown')),
    (5, 'payout', exists (select from billing.payout p
        where p.builder_id = of_account and p.status in ('scheduled', 'failed'))
      or exists (select from billing.ledger_account l
        where l.owner_id = of_account and l.kind = 'builder_earned' and l.balance_micros <> 0)
      or exists (select from billing.ledger_account l
        where l.owner_id = of_account and l.kind = 'builder_payable' and l.balance_micros < 0
          and not exists (select from billing.payout_day d where d.done_at > greatest(closed,
            (select max(r.released_at) from billing.released_line r where r.builder_id = of_account))))),
    (6, 'negative_balance', exists (select from billing.ledger_account l
      where l.owner_id = of_account and l.kind = 'builder_payable' and l.balance_micros > 0))
  ) as w (place, reason, waits)
$$;

-- Invoices with their parties, the ledger, and what the processor knows by its own ids are books, and stay.
create function billing.erase_account(of_account uuid) returns void
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  delete from billing.billing_details where account_id = of_account;
  delete from billing.processor_customer where account_id = of_account;
  insert into billing.past_payout_account (processor, processor_account_id, account_id)
  select a.processor, a.processor_account_id, a.account_id from billing.connected_account a where a.account_id = of_account
  on conflict do nothing;
  delete from billing.connected_account where account_id = of_account;
  delete from billing.mailed_print p using billing.invoice i where i.invoice_id = p.invoice_id and i.consumer_id = of_account;
  update billing.balance_credit set reason = 'erased' where account_id = of_account and reason <> 'erased';
  update billing.tool set name = tool_id, description = null, resource = null, archived_at = coalesce(archived_at, now())
    where owner_id = of_account and (name <> tool_id or num_nonnulls(description, resource) > 0);
  delete from billing.resource where owner_id = of_account;
  delete from billing.idempotency_reply where account_id = of_account;
  delete from billing.outbox where account_id = of_account;
end
$$;

-- The sandbox is a processor of its own. A real one keeps what its own law asks for.
create function sandbox.erase_account(of_account uuid) returns void
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  delete from sandbox.link l where l.object_id in (
    select c.customer_id from sandbox.customer c where c.reference = of_account::text
    union select a.account_id from sandbox.account a where a.reference = of_account::text);
  update sandbox.customer set payment_method_id = null, brand = null, last4 = null, exp_month = null, exp_year = null
    where reference = of_account::text and payment_method_id is not null;
end
$$;

-- ---------------------------------------------------------------- The notifier

create function notify.close_account() returns void
language sql security definer set search_path = pg_catalog
as $$
  delete from notify.endpoint where account_id = auth.current_account_id()
$$;

create function notify.erase_account(of_account uuid) returns void
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  delete from notify.endpoint where account_id = of_account;
  delete from notify.event where account_id = of_account
    or account_id is null and of_account::text in (data ->> 'account_id', data ->> 'consumer_id');
  delete from notify.mail where account_id = of_account;
  delete from notify.mail_opt_out where account_id = of_account;
  delete from notify.idempotency_reply where account_id = of_account;
end
$$;

revoke all on function auth.erase_account(uuid), gate.close_account(timestamptz), gate.erasure_waits_for(uuid),
  gate.erase_account(uuid), usage.erase_calls(uuid, timestamptz), usage.erase_account(uuid), billing.close_account(timestamptz),
  billing.erasure_waits_for(uuid, timestamptz), billing.erase_account(uuid), sandbox.erase_account(uuid), notify.close_account(),
  notify.erase_account(uuid) from public;
grant usage on schema gate, billing, notify to auth_api, auth_worker;
grant usage on schema usage, sandbox to auth_worker;
grant execute on function gate.close_account(timestamptz), billing.close_account(timestamptz), notify.close_account() to auth_api;
grant execute on function auth.erase_account(uuid), gate.erasure_waits_for(uuid), gate.erase_account(uuid),
  usage.erase_calls(uuid, timestamptz), usage.erase_account(uuid), billing.erasure_waits_for(uuid, timestamptz),
  billing.erase_account(uuid), sandbox.erase_account(uuid), notify.erase_account(uuid) to auth_worker;
