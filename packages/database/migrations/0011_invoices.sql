-- Invoices: made whole when a period closes, in one transaction with their ledger posting. What they say never changes.

-- Details that a consumer wants on its next invoices.
create table billing.billing_details (
  account_id uuid        primary key,
  details    jsonb       not null check (jsonb_typeof(details) = 'object'),
  changed_at timestamptz not null
);

create table billing.invoice (
  invoice_id         uuid primary key,
  number             bigint not null unique check (number > 0), -- gapless: given out under the closers' lock
  consumer_id        uuid not null,
  period             text not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  -- A draft is computed, never stored.
  status             text not null check (status in ('open', 'paid', 'past_due', 'uncollectible', 'void')),
  charge_micros      billing.micros not null,
  carried_in_micros  billing.micros not null,
  total_cents        billing.micros not null check (total_cents >= 0),
  carried_out_micros billing.micros not null,
  issued_at          timestamptz not null,
  due_at             timestamptz not null,
  paid_at            timestamptz,
  collect_at         timestamptz, -- when it is next collected by itself; null: not any more
  -- An unpaid invoice waits for this from its consumer before it is charged again; null: for nothing. It is cleared whenever
  -- the invoice becomes due again.
  waits_for          text check (waits_for in ('payment_method', 'authentication')),
  -- A processor has a maximum amount of one charge. An invoice above it is charged in parts, one after the other. The money of
  -- a part waits in the ledger account `part_paid` of its consumer until the last charge pays the invoice. Here is what
  -- charges paid before the last one, also once the invoice is paid.
  part_paid_cents    billing.micros not null default 0,
  unique (consumer_id, period),
  check (charge_micros + carried_in_micros = total_cents * 10000 + carried_out_micros),
  -- Billed in whole cents, the rest is less than one; or nothing is billed and all is carried out.
  check (total_cents = 0 or carried_out_micros between 0 and 9999),
  check ((status = 'paid') = (paid_at is not null)),
  check (part_paid_cents between 0 and total_cents)
);
create index invoice_listed on billing.invoice (consumer_id, issued_at desc, invoice_id desc);
create index invoice_to_collect on billing.invoice (collect_at) where collect_at is not null;
create index invoice_by_due on billing.invoice (due_at) where status in ('open', 'past_due');
create index invoice_waiting on billing.invoice (waits_for) where waits_for is not null; -- a metric counts them every 15 s
-- The operator's lists over all accounts, newest first, and by one filter.
create index invoice_by_time on billing.invoice (issued_at desc, invoice_id desc);
create index invoice_by_status on billing.invoice (status, issued_at desc, invoice_id desc);
create index invoice_by_period on billing.invoice (period, issued_at desc, invoice_id desc);

-- A line says what one charge of one price version came to; or what was counted late for an earlier period, which it then
-- names. Its price and its tool are checked by take_lines_once, as with the ledger's entries: as foreign keys, two look-ups a
-- row, they took more than half of the time in which lines are inserted. What they point at stays, because nothing of the
-- catalogue is deleted.
create table billing.invoice_line (
  invoice_id    uuid not null, -- checked by take_lines_once, as with the ledger's entries
  place         integer not null check (place > 0), -- also the order in which lines are released to builders
  tool_id       text not null,
  price_id      uuid not null,
  charge_index  smallint not null check (charge_index >= 0),
  builder_id    uuid not null,
  name          text,
  quantity      numeric not null,
  unit          text not null,
  charge_micros billing.micros not null,
  adjustment_of text check (adjustment_of ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  primary key (invoice_id, place),
  unique nulls not distinct (invoice_id, adjustment_of, price_id, charge_index)
);
create index invoice_line_of_builder on billing.invoice_line (builder_id);

-- The lines of an invoice with very many lines, while a close makes it: they are rated in parts, and their sum must be known
-- before the invoice is stored. A row lives no longer than its transaction, so the table is not logged.
create unlogged table billing.drafted_line (
  like billing.invoice_line,
  primary key (invoice_id, place)
);

-- The two parties and the names of tools, as an invoice said them when it was issued, so that its print never changes.
create table billing.invoice_parties (
  invoice_id uuid  primary key,
  issuer     jsonb not null,
  buyer      jsonb -- null: the consumer had given no details
);
create table billing.invoice_tool (
  invoice_id uuid not null,
  tool_id    text not null,
  name       text not null,
  primary key (invoice_id, tool_id)
);

-- Invoices above the bound of one collection. The operator confirms each before it is charged. A row without confirmed_at
-- holds its invoice; nothing is held again once it was confirmed.
create table billing.held_invoice (
  invoice_id   uuid        primary key,
  limit_cents  billing.micros not null, -- the bound when it was held
  held_at      timestamptz not null,
  confirmed_at timestamptz
);
create index held_invoice_waiting on billing.held_invoice (held_at) where confirmed_at is null;

create function billing.require_line_sum() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  total numeric := (select coalesce(sum(charge_micros), 0) from billing.invoice_line where invoice_id = new.invoice_id);
begin
  if total <> new.charge_micros then
    raise exception 'invoice % charges %, its lines %', new.invoice_id, new.charge_micros, total
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger charges_its_lines after insert on billing.invoice
  deferrable initially deferred for each row execute function billing.require_line_sum();

-- As with the ledger's entries: all lines at once, none later.
create function billing.take_lines_once() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  if exists (select n.invoice_id from new_line n except select i.invoice_id from billing.invoice i
             where i.invoice_id in (select n.invoice_id from new_line n)) then
    raise exception 'there is no such invoice' using errcode = 'foreign_key_violation';
  end if;
  if exists (select n.price_id, n.tool_id from new_line n except select p.price_id, p.tool_id from billing.tool_price p
             where p.price_id in (select n.price_id from new_line n)) then
    raise exception 'there is no such price of this tool' using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from (select n.invoice_id, count(*) as lines from new_line n group by 1) added
    where added.lines <> (select count(*) from billing.invoice_line l where l.invoice_id = added.invoice_id)
  ) then
    raise exception 'a closed invoice takes no more lines' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger takes_lines_once after insert on billing.invoice_line
  referencing new table as new_line for each statement execute function billing.take_lines_once();

-- A final status is final here, not in code alone: what was paid or voided stays so.
create function billing.guard_invoice_status() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  if new.status <> old.status and not (
    (old.status = 'open' and new.status in ('paid', 'past_due', 'void'))
    or (old.status = 'past_due' and new.status in ('paid', 'uncollectible', 'void'))
    or (old.status = 'uncollectible' and new.status in ('paid', 'void'))
  ) then
    raise exception 'invoice % is %: it does not become %', old.invoice_id, old.status, new.status
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_status before update on billing.invoice
  for each row execute function billing.guard_invoice_status();

create trigger append_only before delete or truncate on billing.invoice
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.invoice_line
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.invoice_parties
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.invoice_tool
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.held_invoice
  for each statement execute function billing.refuse_change();

-- Consumers whose invoice could not be made when a period closed. Each keeps the first period that it lacks. The others
-- were invoiced; these are tried again on their own, and by each later close.
create table billing.unclosed_consumer (
  consumer_id   uuid        primary key,
  period        text        not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  reason        text        not null,
  failures      integer     not null default 1 check (failures > 0),
  set_aside_at  timestamptz not null,
  retry_at      timestamptz not null
);

-- Up to which of its counts the late usage of a consumer's month is on its invoices. Written with the invoice.
create table billing.billed_late_usage (
  consumer_id uuid   not null,
  period      text   not null,
  counts      bigint not null check (counts > 0),
  primary key (consumer_id, period)
) with (fillfactor = 70);

-- The charges that invoices have billed for a builder's tools, by the month of the calls. Usage of a builder starts from
-- the gross of all calls before; with these sums it needs not rate them again.
create table billing.billed_gross (
  builder_id   uuid not null,
  period       text not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  gross_micros billing.micros not null,
  primary key (builder_id, period)
) with (fillfactor = 70);

-- In key order, although closers wait for one lock.
create function billing.sum_billed_gross() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  insert into billing.billed_gross as g (builder_id, period, gross_micros)
  select n.builder_id, coalesce(n.adjustment_of, i.period), sum(n.charge_micros)
  from new_line n join billing.invoice i using (invoice_id)
  group by 1, 2 order by 1, 2
  on conflict (builder_id, period) do update set gross_micros = g.gross_micros + excluded.gross_micros;
  return null;
end
$$;
create trigger sums_billed_gross after insert on billing.invoice_line
  referencing new table as new_line for each statement execute function billing.sum_billed_gross();

-- The gate may refuse calls of accounts that are past due. One row per account that ever was: whether an invoice of it is past
-- due or uncollectible now. Gateways follow by changed_seq.
create sequence billing.past_due_seq as bigint;
create table billing.past_due_account (
  account_id  uuid    primary key,
  is_past_due boolean not null,
  changed_seq bigint  not null default nextval('billing.past_due_seq')
);
create index past_due_account_changed on billing.past_due_account (changed_seq);

-- The row of the account is locked before its invoices are read. Else two payments that commit at once would each see the
-- other's invoice unpaid, and the account would stay past due for ever. Rows are locked in the order of their ids.
create function billing.follow_past_due() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  changed uuid[];
begin
  select array_agg(distinct n.consumer_id) into changed from after n join before o using (invoice_id)
    where (n.status in ('past_due', 'uncollectible')) <> (o.status in ('past_due', 'uncollectible'));
  if changed is null then
    return null;
  end if;
  insert into billing.past_due_account (account_id, is_past_due)
    select id, false from unnest(changed) as id order by id on conflict do nothing;
  perform from billing.past_due_account where account_id = any (changed) order by account_id for update;
  update billing.past_due_account p set is_past_due = not p.is_past_due, changed_seq = nextval('billing.past_due_seq')
    where p.account_id = any (changed) and p.is_past_due <> exists (select from billing.invoice i
      where i.consumer_id = p.account_id and i.status in ('past_due', 'uncollectible'));
  perform pg_notify('past_due_accounts_changed', '');
  return null;
end
$$;
create trigger follow_past_due after update on billing.invoice
  referencing old table as before new table as after
  for each statement execute function billing.follow_past_due();

do $$
declare
  t text;
begin
  foreach t in array array['billing_details', 'invoice', 'invoice_line', 'drafted_line', 'invoice_parties', 'invoice_tool',
    'held_invoice', 'unclosed_consumer', 'billed_late_usage', 'billed_gross', 'past_due_account'] loop
    execute format('alter table billing.%I enable row level security', t);
  end loop;
  foreach t in array array['invoice', 'invoice_line', 'drafted_line', 'invoice_parties', 'invoice_tool', 'billed_gross'] loop
    execute format('create policy worker_closes on billing.%I to billing_worker using (true) with check (true)', t);
  end loop;
  foreach t in array array['invoice_line', 'invoice_parties', 'invoice_tool', 'held_invoice'] loop
    execute format('create policy consumers_read on billing.%I for select to billing_api using (invoice_id in
                    (select i.invoice_id from billing.invoice i where i.consumer_id = (select auth.current_account_id())))', t);
  end loop;
end
$$;
create policy own on billing.billing_details to billing_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
create policy worker_closes on billing.billing_details for select to billing_worker using (true);
create policy worker_settles on billing.held_invoice to billing_worker using (true) with check (true);
create policy workers on billing.unclosed_consumer to billing_worker using (true) with check (true);
create policy workers on billing.billed_late_usage to billing_worker using (true) with check (true);
create policy consumers_read on billing.invoice for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
create policy builders_read on billing.invoice_line for select to billing_api
  using (builder_id = (select auth.current_account_id()));
create policy accounts_read on billing.unclosed_consumer for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
create policy accounts_read on billing.billed_late_usage for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
create policy builders_read on billing.billed_gross for select to billing_api
  using (builder_id = (select auth.current_account_id()));

-- Closed months of consumers whose calls of this builder's tools are not all on invoices: counted late, or the consumer's
-- invoice could not be made.
create view billing.unbilled_month with (security_barrier = true) as
select l.consumer_id, l.period
from usage.late_usage l left join billing.billed_late_usage b using (consumer_id, period)
where l.tool_id in (select t.tool_id from billing.tool t where t.owner_id = (select auth.current_account_id()))
  and l.period <= (select max(c.period) from billing.closed_period c)
  -- The next close looks back twelve months; older usage is billed by none.
  and l.period >= (select to_char((max(c.period) || '-01')::date - interval '11 months', 'YYYY-MM') from billing.closed_period c)
  and (select sum(a.counts) from usage.late_usage a where a.consumer_id = l.consumer_id and a.period = l.period)
    > coalesce(b.counts, 0)
union
select u.consumer_id, c.period
from billing.unclosed_consumer u join billing.closed_period c on c.period >= u.period
where exists (
  select from usage.rollup_v1 r join billing.tool t using (tool_id)
  where r.consumer_id = u.consumer_id and t.owner_id = (select auth.current_account_id())
);

-- Lines of invoices for this builder's tools, collected or not.
create view billing.billed_line with (security_barrier = true) as
select i.consumer_id, i.period as invoice_period, coalesce(l.adjustment_of, i.period) as period, l.tool_id, l.price_id, l.charge_index, l.name,
  l.charge_micros
from billing.invoice_line l join billing.invoice i using (invoice_id)
where l.builder_id = (select auth.current_account_id());

create view billing.past_due_account_v1 as select account_id, is_past_due, changed_seq from billing.past_due_account;

revoke all on function billing.require_line_sum(), billing.take_lines_once(), billing.sum_billed_gross() from public;
grant select, insert, update (details, changed_at) on billing.billing_details to billing_api;
grant select on billing.billing_details to billing_worker;
grant select, insert on billing.invoice, billing.invoice_line, billing.invoice_parties, billing.invoice_tool to billing_worker;
grant update (status, paid_at, collect_at, waits_for, part_paid_cents) on billing.invoice to billing_worker;
grant select, insert, delete on billing.drafted_line to billing_worker;
grant select, insert, update (confirmed_at) on billing.held_invoice to billing_worker;
grant select, insert, update, delete on billing.unclosed_consumer to billing_worker;
grant select, insert, update on billing.billed_late_usage to billing_worker;
grant select, insert, update (gross_micros) on billing.billed_gross to billing_worker;
grant select on billing.invoice, billing.invoice_line, billing.invoice_parties, billing.invoice_tool, billing.held_invoice,
  billing.billed_late_usage, billing.billed_gross, billing.unbilled_month, billing.billed_line to billing_api;
grant select (consumer_id, period) on billing.unclosed_consumer to billing_api; -- the reason is the operator's
grant select on billing.past_due_account_v1 to ingest_gateway_worker;
