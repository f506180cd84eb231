-- The books are proved by seals over the ledger, the invoices and the rollups. Usage that a person should look at is here, too.

-- Chains of hashes over the ledger and over the invoices. A seal has the hash of its row's content and of the seal before.
-- So nobody can change or remove a sealed row, or put one between, without breaking the chain from there on. Seals are
-- written after the commit of their rows, by one process at a time: posting waits for nobody.
create table billing.seal (
  chain     text        not null check (chain in ('ledger', 'invoice')),
  place     bigint      not null check (place > 0), -- the order of sealing, without gaps
  sealed_id bigint      not null, -- the ledger's transaction, or the invoice's number
  hash      bytea       not null check (length(hash) = 32),
  sealed_at timestamptz not null,
  primary key (chain, place),
  unique (chain, sealed_id)
);

create function billing.utc_text(at timestamptz) returns text
language sql immutable set search_path = pg_catalog
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US');

-- All that a posting says. Null if there is no such transaction.
create function billing.content_of_posting(of_transaction bigint) returns bytea
language sql stable set search_path = pg_catalog
as $$
  select sha256(convert_to(jsonb_build_array(t.transaction_id, t.business_key, billing.utc_text(t.occurred_at), t.period, (
    select jsonb_agg(jsonb_build_array(e.place, a.kind, a.owner_id, e.amount_micros) order by e.place)
    from billing.ledger_entry e left join billing.ledger_account a using (ledger_account_id)
    where e.transaction_id = t.transaction_id
  ))::text, 'UTF8')) from billing.ledger_transaction t where t.transaction_id = of_transaction
$$;

-- All that an invoice says and that never changes, with its lines. Null if no invoice has this number.
create function billing.content_of_invoice(of_number bigint) returns bytea
language sql stable set search_path = pg_catalog
as $$
  select sha256(convert_to(jsonb_build_array(i.number, i.invoice_id, i.consumer_id, i.period, i.charge_micros,
    i.carried_in_micros, i.total_cents, i.carried_out_micros, billing.utc_text(i.issued_at), billing.utc_text(i.due_at), (
      select jsonb_agg(jsonb_build_array(l.place, l.tool_id, l.price_id, l.charge_index, l.builder_id, l.name, l.quantity,
        l.unit, l.charge_micros, l.adjustment_of) order by l.place)
      from billing.invoice_line l where l.invoice_id = i.invoice_id
    ))::text, 'UTF8')) from billing.invoice i where i.number = of_number
$$;

-- The sums of the rollups of one tool and hour, as they were when a close sealed them. The close of the month seals all its
-- hours. A later close seals a tool's month again if calls of it were counted late; only the last counts.
create table billing.usage_seal (
  period      text        not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  tool_id     text        not null,
  sealed_in   text        not null check (sealed_in >= period), -- the period whose close sealed it
  hour        timestamptz not null,
  calls       bigint      not null,
  quantity    numeric     not null, -- milliseconds and measures, added up
  hash        numeric     not null, -- the sum over the rollups of the first 8 bytes of their SHA-256
  late_counts bigint      not null, -- counts of the tool and month, read before its rollups
  primary key (period, tool_id, sealed_in, hour)
);

-- Usage that grew so fast that a person should look: a loop, a stolen key, or calls that nobody meant to buy. One row per
-- consumer, tool and day.
create table billing.usage_alert (
  alert_id    uuid           primary key default gen_random_uuid(),
  consumer_id uuid           not null,
  tool_id     text           not null,
  day         date           not null, -- the day on which its 24 hours ended
  calls       numeric        not null, -- within 24 hours
  usual_calls numeric        not null, -- per day, in the 28 days before
  raised_at   timestamptz    not null,
  unique (consumer_id, tool_id, day)
);
create index usage_alert_listed on billing.usage_alert (raised_at desc, alert_id desc);

create trigger append_only before update or delete or truncate on billing.seal
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.usage_seal
  for each statement execute function billing.refuse_change();
create trigger append_only before update or delete or truncate on billing.usage_alert
  for each statement execute function billing.refuse_change();

alter table billing.seal enable row level security;
alter table billing.usage_seal enable row level security;
alter table billing.usage_alert enable row level security;
create policy worker_seals on billing.seal to billing_worker using (true) with check (true);
create policy workers on billing.usage_seal to billing_worker using (true) with check (true);
create policy workers on billing.usage_alert to billing_worker using (true) with check (true);
grant select, insert on billing.seal, billing.usage_seal, billing.usage_alert to billing_worker;
