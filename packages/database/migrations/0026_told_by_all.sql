-- Auth, the gate and the aggregator tell too, some of it to the operator alone. Triggers tell, as in 0022.

-- ---------------------------------------------------------------- auth

create function auth.tell_of_api_key() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform auth.tell(
    case when tg_op = 'INSERT' then 'api_key.created' when old.revoked_at is null and new.revoked_at is not null
      then 'api_key.revoked' else 'api_key.expired' end,
    new.account_id, jsonb_build_object('id', new.key_id, 'account_id', new.account_id, 'name', new.name, 'prefix', new.prefix,
      'last_four', new.last_four, 'can', coalesce(new.can, array['events', 'read', 'manage']),
      'expires_at', notify.shown_time(new.expires_at), 'created_at', notify.shown_time(new.created_at),
      'last_used_at', notify.shown_time(new.last_used_at)));
  return null;
end
$$;
create constraint trigger tell_of_key after insert on auth.api_key
  deferrable initially deferred for each row execute function auth.tell_of_api_key();
create constraint trigger tell_of_revocation after update on auth.api_key
  deferrable initially deferred for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function auth.tell_of_api_key();
create constraint trigger tell_of_expiry after update on auth.api_key
  deferrable initially deferred for each row when (old.expiry_seen_at is null and new.expiry_seen_at is not null)
  execute function auth.tell_of_api_key();

create function auth.tell_of_account() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform auth.tell('account.registered', null, jsonb_build_object('account_id', new.account_id, 'email', new.email,
    'email_verified', new.email_verified_at is not null, 'email_bounced_at', notify.shown_time(new.email_bounced_at),
    'created_at', notify.shown_time(new.created_at), 'operator', new.operator_since is not null), is_operators => true);
  return null;
end
$$;
create constraint trigger tell_of_account after insert on auth.account
  deferrable initially deferred for each row execute function auth.tell_of_account();

create function auth.shown_consent(of_grant auth.oauth_grant, ended timestamptz) returns jsonb
language sql stable
as $$
  select jsonb_build_object('id', of_grant.grant_id, 'account_id', of_grant.account_id, 'client_id', of_grant.client_id,
    'client_name', of_grant.client_name, 'resource', of_grant.resource, 'pass_id', of_grant.pass_id,
    'consented_at', notify.shown_time(of_grant.consented_at), 'ended_at', notify.shown_time(ended))
$$;

-- A second consent that changes the limits of the first is told, too.
create function auth.tell_of_consent() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform auth.tell('oauth.consent_given', new.account_id, auth.shown_consent(new, null));
  return null;
end
$$;
create constraint trigger tell_of_consent after insert or update of consented_at on auth.oauth_grant
  deferrable initially deferred for each row execute function auth.tell_of_consent();

-- A consent is its pass: whoever revokes it, at auth or at the gateway, revokes the pass. One that had expired before ended by
-- itself.
create function auth.tell_of_ended_consent() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform auth.tell('oauth.consent_revoked', g.account_id, auth.shown_consent(g, new.revoked_at))
    from auth.oauth_grant g where g.pass_id = new.pass_id;
  return null;
end
$$;
create constraint trigger tell_of_ended_consent after update on gate.pass
  deferrable initially deferred for each row when (old.revoked_at is null and new.revoked_at is not null
    and (new.expires_at is null or new.revoked_at < new.expires_at))
  execute function auth.tell_of_ended_consent();

revoke all on function auth.tell_of_api_key(), auth.tell_of_account(), auth.shown_consent(auth.oauth_grant, timestamptz),
  auth.tell_of_consent(), auth.tell_of_ended_consent() from public;

-- ---------------------------------------------------------------- The gate

-- All alerts of accounts: the list of the API shows these rows, and each is told as one event.
create view gate.raised_alert as
select alert_id, case percent when 100 then 'spending.limit_reached' else 'spending.threshold_reached' end as type, account_id,
  scope, owner_id, window_start, percent, cap_micros, spent_micros, null as failure_code, null::bigint as below_micros, raised_at
from gate.spending_alert
union all
select alert_id, type, account_id, 'auto_top_up', account_id, window_start,
  least(spent_micros * 100 / cap_micros, 100)::smallint, cap_micros::bigint, spent_micros::bigint, failure_code, null, raised_at
from billing.balance_alert_v1
union all
select alert_id, 'balance.low', account_id, 'balance', account_id, window_start, percent, cap_micros::bigint,
  spent_micros::bigint, null, below_micros::bigint, raised_at
from billing.balance_threshold_alert_v1;
grant select on gate.raised_alert to ingest_gateway_worker;

create function gate.tell_of_alert() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform gate.tell(a.type, a.account_id, jsonb_build_object('id', a.alert_id, 'type', a.type, 'account_id', a.account_id,
      'scope', a.scope, 'scope_id', a.owner_id, 'percent', a.percent, 'failure_code', a.failure_code,
      'below_usd', notify.shown_micros(a.below_micros), 'cap_usd', notify.shown_micros(a.cap_micros),
      'spent_usd', notify.shown_micros(a.spent_micros), 'window_start', notify.shown_time(a.window_start),
      'raised_at', notify.shown_time(a.raised_at)))
    from gate.raised_alert a where a.alert_id = new.alert_id;
  return null;
end
$$;
create constraint trigger tell_of_alert after insert on gate.spending_alert
  deferrable initially deferred for each row execute function gate.tell_of_alert();
create constraint trigger tell_of_alert after insert on billing.balance_threshold_alert
  deferrable initially deferred for each row execute function gate.tell_of_alert();
-- A failed automatic top-up is told as `top_up.failed`, unless none was ordered for want of a payment method.
create constraint trigger tell_of_alert after insert on billing.balance_alert
  deferrable initially deferred for each row
  when (new.type = 'auto_top_up.limit_reached' or new.failure_code = 'payment_method_required')
  execute function gate.tell_of_alert();
revoke all on function gate.tell_of_alert() from public;

-- ---------------------------------------------------------------- The aggregator

-- Tools of which a call was counted. Only the aggregator writes it, in the transaction that counts the first one.
create table usage.called_tool (
  tool_id         text        primary key,
  first_called_at timestamptz not null -- when that call happened
);
alter table usage.called_tool enable row level security;
create policy workers on usage.called_tool to aggregator_worker using (true) with check (true);
grant select, insert on usage.called_tool to aggregator_worker;

create function usage.tell_of_first_call() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform usage.tell('tool.first_call', t.owner_id, jsonb_build_object('slug', t.tool_id, 'name', t.name,
      'account_id', t.owner_id, 'first_called_at', notify.shown_time(new.first_called_at)))
    from billing.tool t where t.tool_id = new.tool_id;
  return null;
end
$$;
create constraint trigger tell_of_first_call after insert on usage.called_tool
  deferrable initially deferred for each row execute function usage.tell_of_first_call();

create function usage.tell_of_dead_letter() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform usage.tell('dead_letter.stored', null, jsonb_build_object(
    'id', format('%s:%s:%s', new.topic, new.partition, new.log_offset), 'topic', new.topic, 'partition', new.partition,
    'offset', new.log_offset, 'code', new.code, 'reason', left(new.reason, 2000), 'consumer_id', new.consumer_id,
    'event_id', new.event_id, 'tool_id', new.tool_id, 'received_at', notify.shown_time(new.received_at),
    'stored_at', notify.shown_time(new.stored_at), 'replayed_at', null, 'replayed_as', null), is_operators => true);
  return null;
end
$$;
create constraint trigger tell_of_letter after insert on usage.dead_letter
  deferrable initially deferred for each row execute function usage.tell_of_dead_letter();

-- ---------------------------------------------------------------- The nightly checks

create function billing.tell_of_difference() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  shown jsonb := jsonb_build_object('books', case tg_table_schema when 'usage' then 'rollups' else 'ledger' end,
    'differences', new.differences, 'checked_at', notify.shown_time(new.checked_at));
begin
  if tg_table_schema = 'usage' then
    perform usage.tell('ledger.difference_found', null, shown, is_operators => true);
  else
    perform billing.tell('ledger.difference_found', null, shown, is_operators => true);
  end if;
  return null;
end
$$;
create constraint trigger tell_of_difference after update on billing.ledger_check
  deferrable initially deferred for each row when (new.differences > 0 and new.checked_at is distinct from old.checked_at)
  execute function billing.tell_of_difference();
create constraint trigger tell_of_difference after update on usage.rollup_check
  deferrable initially deferred for each row when (new.differences > 0 and new.checked_at is distinct from old.checked_at)
  execute function billing.tell_of_difference();
revoke all on function usage.tell_of_first_call(), usage.tell_of_dead_letter(), billing.tell_of_difference() from public;
