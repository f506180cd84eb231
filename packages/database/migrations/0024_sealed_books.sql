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

alter table billing.seal enable row level security;
create policy worker_seals on billing.seal to billing_worker using (true) with check (true);
create trigger append_only before update or delete or truncate on billing.seal
  for each statement execute function billing.refuse_change();
grant select, insert on billing.seal to billing_worker;

create function billing.utc_text(at timestamptz) returns text
language sql immutable set search_path = pg_catalog
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US');

-- All that a posting says. Null if there is no such transaction.
create function billing.content_of_posting(of_transaction bigint) returns bytea
language sql stable set search_path = pg_catalog
as $$
  select sha256(convert_to(jsonb_build_array(t.transaction_id, t.business_key, billing.utc_text(t.occurred_at), (
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
