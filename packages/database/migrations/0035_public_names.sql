-- The page of a consent says who sells the tools, and whether the account has anything to pay with.

-- The name by which people know a builder. The key is the same for all names that look alike: no two accounts have one.
alter table auth.account add public_name text check (char_length(public_name) between 2 and 60),
  add public_name_key text unique, -- `lookAlikeKey` in contracts makes it
  add constraint a_name_has_a_key check ((public_name is null) = (public_name_key is null));
grant update (public_name, public_name_key) on auth.account to auth_api;

-- Published. The second one shows the names to every account, and to nobody without one.
create view auth.seller_v1 as
select account_id, public_name from auth.account where public_name is not null and closed_at is null;
create view auth.shown_seller_v1 with (security_barrier) as
select account_id, public_name from auth.seller_v1 where (select auth.current_account_id()) is not null;
grant select on auth.seller_v1 to auth_worker;
grant select on auth.shown_seller_v1 to billing_api;

create or replace view auth.account_directory_v1 as
  select account_id, email, created_at, email_verified_at, email_bounced_at, public_name from auth.account;

-- As before, and without the name.
create or replace function auth.erase_account(of_account uuid) returns void
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  update auth.account set email = of_account || '@erased.invalid', password_hash = 'erased', email_verified_at = null,
    email_bounced_at = coalesce(email_bounced_at, closed_at), operator_since = null, -- nothing is mailed to a bounced address
    public_name = null, public_name_key = null
    where account_id = of_account;
  update auth.account_suspension set reason = 'erased' where account_id = of_account;
  update auth.api_key set name = 'erased' where account_id = of_account;
  delete from auth.totp where account_id = of_account;
  delete from auth.mail_link where account_id = of_account;
  delete from auth.letter where account_id = of_account;
  delete from auth.token_rotation where account_id = of_account;
  delete from auth.session_cookie where account_id = of_account;
  delete from auth.embed where account_id = of_account;
  delete from auth.embed_origins where account_id = of_account;
  delete from auth.device_login l using auth.session s where l.session_id = s.session_id and s.account_id = of_account;
  delete from auth.oauth_object where payload ->> 'accountId' = of_account::text
    or grant_id in (select g.grant_id from auth.oauth_grant g where g.account_id = of_account);
  update auth.oauth_grant set client_name = 'erased' where account_id = of_account;
  delete from auth.idempotency_reply where account_id = of_account;
  delete from auth.outbox where account_id = of_account or data ->> 'account_id' = of_account::text;
end
$$;

-- As before, with the name of the account.
create or replace function auth.tell_of_account() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform auth.tell('account.registered', null, jsonb_build_object('account_id', new.account_id, 'email', new.email,
    'email_verified', new.email_verified_at is not null, 'email_bounced_at', notify.shown_time(new.email_bounced_at),
    'public_name', new.public_name,
    'created_at', notify.shown_time(new.created_at), 'operator', new.operator_since is not null), is_operators => true);
  return null;
end
$$;

-- As before, with the name of who sells the tool.
create or replace function billing.tell_of_tool() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell(case when tg_op = 'INSERT' then 'tool.created' else 'tool.archived' end, new.owner_id,
    jsonb_build_object('account_id', new.owner_id, 'slug', new.tool_id, 'name', new.name, 'description', new.description,
      'sold_by', (select s.public_name from auth.seller_v1 s where s.account_id = new.owner_id),
      'price', (select billing.shown_price(p.price) from billing.tool_price p
        where p.tool_id = new.tool_id and (p.effective_from is null or p.effective_from <= sandbox.time_now())
        order by p.effective_from desc nulls last limit 1),
      'default_max', new.default_max, 'resource', new.resource, 'archived', new.archived_at is not null,
      'created_at', notify.shown_time(new.created_at)));
  return null;
end
$$;

-- Published to auth: whether the account of the transaction has a card, or a balance or credit that is not spent yet. The
-- calls that no invoice has billed are not taken off.
create function billing.has_own_means_v1(at timestamptz) returns boolean
language sql stable security definer set search_path = pg_catalog
as $$
  select p.has_payment_method or p.balance_micros - p.owed_micros + coalesce(p.credit_limit_micros, 0) > 0
  from billing.spending_power_v1(array[auth.current_account_id()], at, array[at]) p
$$;
revoke all on function billing.has_own_means_v1(timestamptz) from public;
grant execute on function billing.has_own_means_v1(timestamptz) to auth_api;
