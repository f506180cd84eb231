-- Outgoing webhooks. Each schema that has something to tell writes it into its outbox, in the transaction of the change itself;
-- the notifier takes it from there and sends it to the endpoints that accounts have registered.

-- ---------------------------------------------------------------- The outboxes

-- The functions that triggers call below have no path of their own: they run under that of the trigger's function, in which
-- every name is either of pg_catalog or has its schema. A path of their own costs some 25 microseconds per event.

-- The time that services have: the sandbox's clock, if there is one.
create function sandbox.time_now() returns timestamptz
language sql volatile
as $$
  select coalesce(
    (select case when is_frozen then stood_at else stood_at + (clock_timestamp() - set_at) end from sandbox.clock),
    clock_timestamp())
$$;

-- A row lives until the notifier has taken it, which is one transaction with the event that it becomes. `version` grows with
-- the changes of an object: they follow each other under the lock of its row, and triggers write here at their commit.
--
-- tell: nobody is told of a row without an account, unless it is the operator's. The change itself must go on: telling refuses
-- nothing. take_outbox: takes the oldest rows out. They are gone when the caller's transaction commits; several callers take
-- different rows.
do $$
declare
  s text;
begin
  foreach s in array array['auth', 'billing', 'gate', 'usage'] loop
    execute format('create sequence %I.outbox_version as bigint', s);
    execute format($ddl$
      create table %I.outbox (
        version     bigint      primary key,
        event_id    uuid        not null default gen_random_uuid(),
        type        text        not null check (type ~ '^[a-z_]+\.[a-z_]+$'),
        account_id  uuid,       -- null: for the operator alone
        data        jsonb       not null,
        happened_at timestamptz not null, -- in the services' clock
        written_at  timestamptz not null default clock_timestamp(),
        -- the span whose transaction wrote it, if somebody follows its trace
        traceparent text        default nullif(current_setting('tollgate.traceparent', true), '')
      )$ddl$, s);
    execute format($ddl$
      create function %1$I.tell(of_type text, to_account uuid, about jsonb, is_operators boolean default false) returns void
      language plpgsql
      as $tell$
      declare
        place bigint := nextval('%1$I.outbox_version');
      begin
        if about is null or (to_account is null and not is_operators) then return; end if;
        insert into %1$I.outbox (version, type, account_id, data, happened_at)
        values (place, of_type, to_account, about || jsonb_build_object('version', place), sandbox.time_now());
        perform pg_notify('outbox_written', '');
      end
      $tell$ $ddl$, s);
    execute format($ddl$
      create function %1$I.take_outbox(rows_max integer) returns setof %1$I.outbox
      language sql volatile security definer set search_path = pg_catalog
      as $take$
        with oldest as materialized (
          select version from %1$I.outbox order by version limit rows_max for update skip locked
        )
        delete from %1$I.outbox o using oldest where o.version = oldest.version returning o.*
      $take$ $ddl$, s);
    execute format('alter table %I.outbox enable row level security', s);
    execute format('revoke all on function %1$I.tell(text, uuid, jsonb, boolean), %1$I.take_outbox(integer) from public', s);
    execute format('grant execute on function %I.take_outbox(integer) to notifier_worker', s);
  end loop;
end
$$;
grant usage on schema gate, usage to notifier_worker;

-- The forms of the API. Tests compare what is told with what the API answers.
create function notify.shown_cents(cents numeric) returns numeric
language sql immutable as $$ select trim_scale(cents / 100) $$;
create function notify.shown_micros(micros numeric) returns numeric
language sql immutable as $$ select trim_scale(micros / 1000000) $$;
create function notify.shown_time(moment timestamptz) returns text
language sql stable
as $$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
revoke all on function sandbox.time_now(), notify.shown_cents(numeric), notify.shown_micros(numeric),
  notify.shown_time(timestamptz) from public;

-- ---------------------------------------------------------------- What billing tells

-- Without its lines, of which there may be very many.
create function billing.shown_invoice(id uuid) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'id', i.invoice_id, 'account_id', i.consumer_id, 'number', i.number, 'period', i.period,
    'status', case when i.status = 'paid' and i.total_cents = 0 then 'carried' else i.status end,
    'issued_at', notify.shown_time(i.issued_at), 'due_at', notify.shown_time(i.due_at),
    'paid_at', case when i.total_cents > 0 then notify.shown_time(i.paid_at) end,
    'held_for', case when i.status in ('open', 'past_due', 'uncollectible') then
      case when exists (select from billing.held_invoice h where h.invoice_id = i.invoice_id and h.confirmed_at is null)
        then 'confirmation' else i.waits_for end end,
    'currency', 'usd', 'charge_usd', notify.shown_micros(i.charge_micros),
    'carried_in_usd', notify.shown_micros(i.carried_in_micros), 'total_usd', notify.shown_cents(i.total_cents),
    'carried_out_usd', notify.shown_micros(i.carried_out_micros),
    'refunded_usd', notify.shown_cents((select coalesce(sum(r.amount_cents), 0) from billing.refund r
      where r.invoice_id = i.invoice_id and r.status = 'succeeded' and r.stray_attempt_id is null)),
    'balance_paid_usd', notify.shown_cents(b.cents),
    'card_paid_usd', notify.shown_cents(case when i.status = 'paid' then i.total_cents - b.cents else i.part_paid_cents end))
  from billing.invoice i cross join lateral (
    select coalesce(-sum(m.amount_cents), 0) as cents from billing.balance_move m
    where m.invoice_id = i.invoice_id and m.business_key not like 'refund:%') b
  where i.invoice_id = id
$$;

create function billing.shown_credit(id uuid) returns jsonb
language sql stable
as $$
  select jsonb_build_object('id', credit_id, 'account_id', account_id, 'amount_usd', notify.shown_cents(amount_cents),
    'left_usd', notify.shown_cents(left_cents), 'effective_from', notify.shown_time(effective_from),
    'expires_at', notify.shown_time(ends_at), 'top_up_id', top_up_id, 'created_at', notify.shown_time(created_at))
  from billing.balance_credit where credit_id = id
$$;

-- Triggers tell, so no way to change a row forgets it. They are deferred: they run at the commit, and see all that their
-- transaction did to an invoice, such as the money of the balance that paid it.
create function billing.tell_of_invoice() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell(case when new.status = 'void' then 'invoice.voided' else 'invoice.' || new.status end, new.consumer_id,
    billing.shown_invoice(new.invoice_id));
  return null;
end
$$;
create constraint trigger tell_of_status after update on billing.invoice
  deferrable initially deferred for each row when (old.status is distinct from new.status)
  execute function billing.tell_of_invoice();

-- A close issues very many invoices, so all of a statement are told at once. A new invoice has no payments and no refunds and is
-- not held: its row says all that the API shows of it. A row turned into JSON costs a third less than its fields one by one.
create function billing.tell_of_issued() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  happened timestamptz := sandbox.time_now();
begin
  insert into billing.outbox (version, type, account_id, data, happened_at)
  select i.version, 'invoice.issued', i.account_id, to_jsonb(i), happened
  from (
    select n.invoice_id as id, n.consumer_id as account_id, n.number, n.period,
      case n.status when 'paid' then 'carried' else n.status end as status, notify.shown_time(n.issued_at) as issued_at,
      notify.shown_time(n.due_at) as due_at, null as paid_at, null as held_for, 'usd' as currency,
      notify.shown_micros(n.charge_micros) as charge_usd, notify.shown_micros(n.carried_in_micros) as carried_in_usd,
      notify.shown_cents(n.total_cents) as total_usd, notify.shown_micros(n.carried_out_micros) as carried_out_usd,
      0 as refunded_usd, 0 as balance_paid_usd, 0 as card_paid_usd, nextval('billing.outbox_version') as version
    from new_invoice n
  ) i;
  perform pg_notify('outbox_written', '');
  return null;
end
$$;
create trigger tell_of_issue after insert on billing.invoice
  referencing new table as new_invoice for each statement execute function billing.tell_of_issued();

-- An order that never arrived at the processor is none that failed: it is given again.
create function billing.tell_of_failed_charge() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell('invoice.payment_failed', i.consumer_id, billing.shown_invoice(i.invoice_id))
    from billing.invoice i where i.invoice_id = new.subject_id;
  return null;
end
$$;
create constraint trigger tell_of_failure after update on billing.processor_attempt
  deferrable initially deferred for each row
  when (new.kind = 'charge' and not new.of_top_up and old.status = 'unknown' and new.status = 'failed'
    and new.failure_code is distinct from 'never_made')
  execute function billing.tell_of_failed_charge();

create function billing.tell_of_refund() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell('invoice.refunded', i.consumer_id, billing.shown_invoice(i.invoice_id))
    from billing.invoice i where i.invoice_id = new.invoice_id;
  return null;
end
$$;
create constraint trigger tell_of_refund after insert on billing.refund
  deferrable initially deferred for each row
  when (new.status = 'succeeded' and new.stray_attempt_id is null and new.amount_cents > 0)
  execute function billing.tell_of_refund();
create constraint trigger tell_of_success after update on billing.refund
  deferrable initially deferred for each row
  when (new.status = 'succeeded' and old.status <> 'succeeded' and new.stray_attempt_id is null and new.amount_cents > 0)
  execute function billing.tell_of_refund();

create function billing.tell_of_credit_note() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell('credit_note.issued', new.consumer_id, jsonb_build_object(
      'id', new.refund_id, 'account_id', new.consumer_id, 'number', new.number, 'invoice_id', new.invoice_id,
      'invoice_number', i.number, 'period', i.period, 'currency', 'usd', 'amount_usd', notify.shown_cents(new.amount_cents),
      'cause', r.cause, 'issued_at', notify.shown_time(new.issued_at)))
    from billing.invoice i, billing.refund r where i.invoice_id = new.invoice_id and r.refund_id = new.refund_id;
  return null;
end
$$;
create constraint trigger tell_of_issue after insert on billing.credit_note
  deferrable initially deferred for each row execute function billing.tell_of_credit_note();

create function billing.tell_of_dispute() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  of_account uuid := coalesce((select i.consumer_id from billing.invoice i where i.invoice_id = new.invoice_id),
    (select t.account_id from billing.top_up t where t.top_up_id = new.top_up_id));
  shown jsonb := jsonb_build_object('id', new.dispute_id, 'account_id', of_account, 'invoice_id', new.invoice_id,
    'top_up_id', new.top_up_id, 'currency', 'usd', 'amount_usd', notify.shown_cents(new.amount_cents),
    'status', new.status, 'opened_at', notify.shown_time(new.opened_at), 'closed_at', notify.shown_time(new.closed_at));
begin
  if tg_op = 'INSERT' then
    perform billing.tell('dispute.opened', of_account, shown || '{"status": "open", "closed_at": null}');
  end if;
  if new.status <> 'open' then
    perform billing.tell('dispute.' || new.status, of_account, shown);
  end if;
  return null;
end
$$;
create constraint trigger tell_of_opening after insert on billing.dispute
  deferrable initially deferred for each row execute function billing.tell_of_dispute();
create constraint trigger tell_of_status after update on billing.dispute
  deferrable initially deferred for each row when (old.status is distinct from new.status)
  execute function billing.tell_of_dispute();

create function billing.tell_of_payout() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell(
    case when tg_op = 'UPDATE' and old.status = 'paid' then 'payout.reversed' else 'payout.' || new.status end,
    new.builder_id, jsonb_build_object('id', new.payout_id, 'account_id', new.builder_id,
      'amount_usd', notify.shown_cents(new.net_cents + new.fee_cents), 'net_usd', notify.shown_cents(new.net_cents),
      'fee_usd', notify.shown_cents(new.fee_cents), 'status', new.status, 'period', new.period,
      'paid_at', notify.shown_time(new.paid_at)));
  return null;
end
$$;
create constraint trigger tell_of_schedule after insert on billing.payout
  deferrable initially deferred for each row execute function billing.tell_of_payout();
create constraint trigger tell_of_status after update on billing.payout
  deferrable initially deferred for each row when (old.status is distinct from new.status)
  execute function billing.tell_of_payout();

-- `removed` shows the card that was there.
create function billing.tell_of_payment_method() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  card billing.processor_customer := new;
begin
  if new.payment_method_id is null then
    card := old;
  end if;
  perform billing.tell(
    case when new.payment_method_id is null then 'payment_method.removed' else 'payment_method.updated' end,
    new.account_id, jsonb_build_object('account_id', card.account_id, 'brand', card.brand, 'last4', card.last4,
      'exp_month', card.exp_month, 'exp_year', card.exp_year));
  return null;
end
$$;
create constraint trigger tell_of_first after insert on billing.processor_customer
  deferrable initially deferred for each row when (new.payment_method_id is not null)
  execute function billing.tell_of_payment_method();
create constraint trigger tell_of_change after update on billing.processor_customer
  deferrable initially deferred for each row when (old.payment_method_id is distinct from new.payment_method_id)
  execute function billing.tell_of_payment_method();

create function billing.tell_of_top_up() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell(case when new.status = 'succeeded' then 'balance.topped_up' else 'top_up.failed' end,
    new.account_id, jsonb_build_object('id', new.top_up_id, 'account_id', new.account_id, 'currency', 'usd',
      'amount_usd', notify.shown_cents(new.amount_cents), 'status', new.status, 'failure_code', left(new.failure_code, 200),
      'is_automatic', new.is_automatic, 'created_at', notify.shown_time(new.created_at),
      'succeeded_at', notify.shown_time(new.succeeded_at)));
  return null;
end
$$;
create constraint trigger tell_of_status after update on billing.top_up
  deferrable initially deferred for each row when (old.status is distinct from new.status)
  execute function billing.tell_of_top_up();

create function billing.tell_of_credit() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform billing.tell(case tg_table_name when 'balance_credit' then 'credit.granted' else 'credit.expired' end,
    new.account_id, billing.shown_credit(new.credit_id));
  return null;
end
$$;
create constraint trigger tell_of_grant after insert on billing.balance_credit
  deferrable initially deferred for each row when (new.top_up_id is null)
  execute function billing.tell_of_credit();
create constraint trigger tell_of_expiry after insert on billing.balance_move
  deferrable initially deferred for each row when (new.business_key like 'credit-expired:%')
  execute function billing.tell_of_credit();

revoke all on function billing.shown_invoice(uuid), billing.shown_credit(uuid), billing.tell_of_invoice(),
  billing.tell_of_issued(), billing.tell_of_failed_charge(), billing.tell_of_refund(), billing.tell_of_credit_note(), billing.tell_of_dispute(),
  billing.tell_of_payout(), billing.tell_of_payment_method(), billing.tell_of_top_up(), billing.tell_of_credit() from public;

-- ---------------------------------------------------------------- Whom the notifier tells

create table notify.endpoint (
  endpoint_id      uuid        primary key,
  account_id       uuid,       -- null: the operator's, which hears of everybody
  url              text        not null,
  types            text[]      check (cardinality(types) between 1 and 100), -- null: all
  description      text,
  secret           bytea       not null, -- sealed
  old_secret       bytea, -- after a rotation, until old_secret_until
  old_secret_until timestamptz,
  -- null: it is enabled. `gone`: it answered 410. `failing`: it failed for days.
  disabled_for     text        check (disabled_for in ('owner', 'gone', 'failing')),
  -- Its last answer was a success. The others share a part of what is sent at once, so that they hold up none of these.
  is_trusted       boolean     not null default false,
  failing_since    timestamptz, -- its first failure since its last success
  created_at       timestamptz not null,
  registered_at    timestamptz not null default clock_timestamp(), -- the database's time; it hears of what is written later
  check ((old_secret is null) = (old_secret_until is null)),
  check (not is_trusted or failing_since is null)
);
create index endpoint_of_account on notify.endpoint (account_id, created_at);

-- Everything that was told, also to nobody: an account reads it for 30 days.
create table notify.event (
  event_id    uuid        primary key,
  place       bigint      generated always as identity unique, -- the order of the list
  account_id  uuid,       -- null: of the platform
  type        text        not null,
  data        jsonb       not null,
  happened_at timestamptz not null,
  stored_at   timestamptz not null,
  traceparent text
);
create index event_listed on notify.event (account_id, place desc);
create index event_by_age on notify.event (stored_at);

-- Events on their way to Kafka, by their place. The relay deletes a row in the transaction in which Kafka took its event.
create table notify.relay (
  place bigint primary key references notify.event (place) on delete cascade
);

-- An event on its way to an endpoint.
create table notify.delivery (
  event_id      uuid        not null references notify.event on delete cascade,
  endpoint_id   uuid        not null references notify.endpoint on delete cascade,
  status        text        not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts      integer     not null default 0, -- begun, ever
  tries         integer     not null default 0, -- failed, since it was last ordered
  due_at        timestamptz, -- when it is tried next
  claimed_until timestamptz, -- somebody sends it now; nobody else does before this time
  primary key (event_id, endpoint_id),
  check ((status = 'pending') = (due_at is not null)),
  check (claimed_until is null or status = 'pending')
);
create index delivery_due on notify.delivery (endpoint_id, due_at) where due_at is not null;
create index delivery_failed on notify.delivery (endpoint_id) where status = 'failed';

create table notify.attempt (
  event_id    uuid        not null,
  endpoint_id uuid        not null,
  number      integer     not null check (number > 0),
  started_at  timestamptz not null,
  duration_ms integer     not null check (duration_ms >= 0),
  status      integer, -- the answer's; null: there was none
  error       text, -- why it failed; null: it was a success
  answer      text, -- the first KiB of the answer
  primary key (event_id, endpoint_id, number),
  foreign key (event_id, endpoint_id) references notify.delivery on delete cascade
);

-- First answers to Idempotency-Key, as auth and billing keep theirs.
create table notify.idempotency_reply (
  account_id uuid        not null,
  method     text        not null,
  path       text        not null,
  key        text        not null,
  body_hash  bytea       not null,
  status     integer     not null,
  headers    jsonb       not null,
  body       jsonb       not null,
  sealed     bytea, -- see auth.idempotency_reply
  created_at timestamptz not null,
  primary key (account_id, method, path, key)
);
create index idempotency_reply_age on notify.idempotency_reply (created_at);

do $$
declare
  t text;
begin
  foreach t in array array['endpoint', 'event', 'relay', 'delivery', 'attempt', 'idempotency_reply'] loop
    execute format('alter table notify.%I enable row level security', t);
    execute format('create policy worker on notify.%I to notifier_worker using (true) with check (true)', t);
  end loop;
  foreach t in array array['endpoint', 'event', 'idempotency_reply'] loop
    execute format('create policy own on notify.%I to notifier_api using (account_id = (select auth.current_account_id()))
                    with check (account_id = (select auth.current_account_id()))', t);
  end loop;
  foreach t in array array['delivery', 'attempt'] loop
    execute format('create policy own on notify.%I to notifier_api using (endpoint_id in
                    (select e.endpoint_id from notify.endpoint e where e.account_id = (select auth.current_account_id())))', t);
  end loop;
end
$$;

grant select, insert, update, delete on notify.endpoint, notify.event, notify.relay, notify.delivery, notify.attempt
  to notifier_worker;
grant select, insert, update, delete on notify.endpoint to notifier_api;
grant select, insert on notify.event, notify.delivery, notify.idempotency_reply to notifier_api;
grant update (status, tries, due_at, claimed_until) on notify.delivery to notifier_api;
grant select on notify.attempt to notifier_api;
grant select, delete on notify.idempotency_reply to notifier_worker;

-- Each caller of the notifier is checked as everywhere.
grant select on auth.account_suspension_v1, auth.ended_session_v1, auth.signing_key_v1, auth.api_key_directory_v1,
  auth.operator_token_v1, auth.operator_code_v1 to notifier_worker;
grant execute on function auth.touch_api_keys(uuid[], timestamptz) to notifier_worker;
grant select on sandbox.clock_v1 to notifier_worker;
grant execute on function sandbox.begin_clock(timestamptz) to notifier_worker;
