-- Payout accounts, tools and refunds of balances are told, too. Triggers tell, as in 0022.

-- The form of `GET /v1/billing/account`, without the balance. An account is connected while it has gone through onboarding and
-- its builder has not disconnected it.
create function billing.tell_of_payout_account() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  was_connected boolean := tg_op = 'UPDATE' and old.details_submitted and old.disconnected_at is null;
  is_disconnected boolean := new.disconnected_at is not null;
  is_connected boolean := new.details_submitted and not is_disconnected;
begin
  perform billing.tell(
    case when not was_connected then 'payout_account.connected' when is_connected then 'payout_account.updated'
      else 'payout_account.disconnected' end,
    new.account_id, jsonb_build_object('account_id', new.account_id, 'processor_connected', is_connected,
      'processor_account_id', case when is_connected then new.processor_account_id end,
      'payout_enabled', is_connected and new.payouts_enabled,
      'requirements', case when is_disconnected then '[]'::jsonb else to_jsonb(new.requirements) end,
      'disabled_reason', case when not is_disconnected then new.disabled_reason end,
      'bank_failure', case when not is_disconnected and new.bank_failure_at is not null then
        jsonb_build_object('code', new.bank_failure_code, 'failed_at', notify.shown_time(new.bank_failure_at)) end));
  return null;
end
$$;
create constraint trigger tell_of_first after insert on billing.connected_account
  deferrable initially deferred for each row when (new.details_submitted and new.disconnected_at is null)
  execute function billing.tell_of_payout_account();
create constraint trigger tell_of_change after update on billing.connected_account
  deferrable initially deferred for each row
  when (((old.details_submitted and old.disconnected_at is null) or (new.details_submitted and new.disconnected_at is null))
    and old.* is distinct from new.*)
  execute function billing.tell_of_payout_account();

-- A price may have hundreds of tiers, and a webhook is small. Null: it is read by its route.
create function billing.shown_price(price jsonb) returns jsonb
language sql immutable as $$ select case when octet_length(price::text) <= 10000 then price end $$;

create function billing.tell_of_tool() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell(case when tg_op = 'INSERT' then 'tool.created' else 'tool.archived' end, new.owner_id,
    jsonb_build_object('account_id', new.owner_id, 'slug', new.tool_id, 'name', new.name, 'description', new.description,
      'price', (select billing.shown_price(p.price) from billing.tool_price p
        where p.tool_id = new.tool_id and (p.effective_from is null or p.effective_from <= sandbox.time_now())
        order by p.effective_from desc nulls last limit 1),
      'default_max', new.default_max, 'resource', new.resource, 'archived', new.archived_at is not null,
      'created_at', notify.shown_time(new.created_at)));
  return null;
end
$$;
create constraint trigger tell_of_creation after insert on billing.tool
  deferrable initially deferred for each row execute function billing.tell_of_tool();
create constraint trigger tell_of_archiving after update on billing.tool
  deferrable initially deferred for each row when (old.archived_at is null and new.archived_at is not null)
  execute function billing.tell_of_tool();

-- The first price of a tool comes with it.
create function billing.tell_of_price() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell('tool.price_added', t.owner_id, jsonb_build_object('account_id', t.owner_id, 'slug', t.tool_id,
      'id', new.price_id, 'price', billing.shown_price(new.price), 'effective_from', notify.shown_time(new.effective_from),
      'created_at', notify.shown_time(new.created_at)))
    from billing.tool t where t.tool_id = new.tool_id;
  return null;
end
$$;
create constraint trigger tell_of_price after insert on billing.tool_price
  deferrable initially deferred for each row when (new.effective_from is not null)
  execute function billing.tell_of_price();

-- Each part goes back to a card of its own, maybe days after the others.
create function billing.tell_of_balance_refund() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell('balance.refunded', r.account_id, jsonb_build_object('id', r.refund_id, 'account_id', r.account_id,
      'currency', 'usd', 'amount_usd', notify.shown_cents(r.amount_cents),
      'refunded_usd', notify.shown_cents(coalesce(sum(p.amount_cents) filter (where p.status = 'succeeded'), 0)),
      'status', case when bool_or(p.status = 'pending') then 'pending' when bool_or(p.status = 'failed') then 'failed'
        else 'succeeded' end,
      'parts', jsonb_agg(jsonb_build_object('top_up_id', p.top_up_id, 'amount_usd', notify.shown_cents(p.amount_cents),
        'status', p.status, 'failure_code', left(p.failure_code, 200)) order by t.created_at desc, t.top_up_id desc)
        filter (where p.place <= 50),
      'created_at', notify.shown_time(r.created_at)))
    from billing.balance_refund r, lateral (select q.*, row_number() over (order by q.part_id = new.part_id desc, q.part_id) as place
      from billing.balance_refund_part q where q.refund_id = r.refund_id) p join billing.top_up t using (top_up_id)
    where r.refund_id = new.refund_id group by r.refund_id;
  return null;
end
$$;
create constraint trigger tell_of_success after update on billing.balance_refund_part
  deferrable initially deferred for each row when (old.status <> 'succeeded' and new.status = 'succeeded')
  execute function billing.tell_of_balance_refund();

revoke all on function billing.tell_of_payout_account(), billing.shown_price(jsonb), billing.tell_of_tool(),
  billing.tell_of_price(), billing.tell_of_balance_refund() from public;
