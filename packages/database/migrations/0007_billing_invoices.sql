-- Invoices: made whole when a period closes, in one transaction with their ledger posting, and never changed.

-- Closed in order, each once: what is counted for one of these from then on is late.
create table billing.closed_period (
  period    text primary key check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  closed_at timestamptz not null
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
  unique (consumer_id, period),
  check (charge_micros + carried_in_micros = total_cents * 10000 + carried_out_micros),
  -- Billed in whole cents, the rest is less than one; or nothing is billed and all is carried out.
  check (total_cents = 0 or carried_out_micros between 0 and 9999),
  check ((status = 'paid') = (paid_at is not null))
);
create index invoice_listed on billing.invoice (consumer_id, issued_at desc, invoice_id desc);

-- What one charge of one price version came to; or what was counted late for an earlier period, which it then names.
create table billing.invoice_line (
  invoice_id    uuid not null, -- checked by take_lines_once, as with the ledger's entries
  place         integer not null check (place > 0), -- also the order in which lines are released to builders
  tool_id       text not null references billing.tool,
  price_id      uuid not null references billing.tool_price,
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
create trigger append_only before update or delete or truncate on billing.invoice_line
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.invoice
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.closed_period
  for each statement execute function billing.refuse_change();

alter table billing.closed_period enable row level security;
alter table billing.invoice enable row level security;
alter table billing.invoice_line enable row level security;
create policy worker_closes on billing.closed_period to billing_worker using (true) with check (true);
create policy worker_closes on billing.invoice to billing_worker using (true) with check (true);
create policy worker_closes on billing.invoice_line to billing_worker using (true) with check (true);
create policy accounts_read on billing.closed_period for select to billing_api
  using ((select auth.current_account_id()) is not null);
create policy consumers_read on billing.invoice for select to billing_api
  using (consumer_id = (select auth.current_account_id()));
create policy consumers_read on billing.invoice_line for select to billing_api
  using (invoice_id in (select i.invoice_id from billing.invoice i where i.consumer_id = (select auth.current_account_id())));

revoke all on function billing.require_line_sum(), billing.take_lines_once() from public;
grant select, insert on billing.closed_period, billing.invoice, billing.invoice_line to billing_worker;
grant select on billing.closed_period, billing.invoice, billing.invoice_line to billing_api;
