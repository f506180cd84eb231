-- The money that is held for calls under way: by authorization, by captured call of a book, and by line of the invoice.

-- An authorization, or an event that was authorized and captured in one.
--
--   open ──▶ captured ──▶ settled    its event is counted, and its money is in spent_micros
--     │          └──────▶ expired    no event of it can come any more
--     ├──▶ released
--     └──▶ expired
--
-- A book is an authorization for several calls, each captured by itself. Its held_micros are what it holds for all calls that
-- are not settled, in any state.
create table gate.hold (
  hold_id         uuid        primary key, -- the authorization's id, else the event's
  account_id      uuid        not null,    -- the account that pays
  asker_id        uuid        not null,    -- the account that may capture it
  pass_id         uuid,
  tool_id         text        not null,
  price_id        uuid        not null,
  event_id        uuid        not null,
  max             jsonb       not null,    -- the most that the event may have
  held_micros     bigint      not null check (held_micros >= 0),
  cap_ids         bigint[]    not null,    -- the rows of gate.cap_state that hold it
  state           text        not null check (state in ('open', 'captured', 'settled', 'released', 'expired')),
  body_hash       bytea,
  asked_at        timestamptz not null,
  expires_at      timestamptz not null,
  occurred_at     timestamptz,             -- the time of its event, once it is counted
  charged_micros  bigint,
  call_count      smallint    not null default 1 check (call_count between 1 and 1000),
  -- The next three are of a book; null for a hold of one call.
  each_micros     bigint,                  -- held for each call that is not captured
  settled_calls   bit varying,             -- 1: the call is settled
  charged_of_caps bigint[],                -- charges of settled calls in the window of each cap; null before the first
  -- The lines that a hold stands in, as price_id/period. The caps that cover them are not in its cap_ids.
  lines           text[]      not null default '{}',
  check ((call_count > 1) = (settled_calls is not null)),
  check ((call_count > 1) = (each_micros is not null))
) with (fillfactor = 70);
create index hold_live on gate.hold (account_id, expires_at) where state in ('open', 'captured');
create index hold_ended on gate.hold (expires_at) where state not in ('open', 'captured');
-- A settler looks for captured holds each second. Without this index it reads all that are open: with 20,000 of them, that
-- took a core of PostgreSQL 40 ms, and those who asked meanwhile waited.
create index hold_captured on gate.hold (account_id) where state = 'captured';
-- A settler looks for expired books each second, among thousands of expired holds of one call.
create index hold_open_book on gate.hold (account_id, expires_at) where state = 'open' and call_count > 1;
create index hold_in_line on gate.hold (account_id) where lines <> '{}' and state in ('open', 'captured');

-- The captured calls of books. A row of gate.hold per call took PostgreSQL 88 µs of the call's 155 from capture to settlement:
-- it had four index entries, was read and locked, and had three more when it was settled. A row here has one, and is deleted once
-- the call is settled; its bit in the book stays.
create table gate.captured_call (
  account_id uuid     not null, -- the account that pays
  book_id    uuid     not null, -- its row in gate.hold
  call_index smallint not null,
  event_id   uuid     not null,
  micros     bigint   not null check (micros >= 0), -- its part of what the book holds
  body_hash  bytea    not null,
  primary key (account_id, book_id, call_index)
) with (autovacuum_vacuum_scale_factor = 0.05);

-- Captures calls of books, and returns how many: those whose books are open still, and expire when the gateway thinks they do.
-- Fails if one of the calls is captured already. A book is locked against release, expiry and settlement, not
-- against another gateway that captures a call of it; the primary key decides about one call. All lock books, and insert, in
-- one order. The state is compared once the book is locked, so that only its primary key can find it.
create function gate.capture_calls(
  book_ids uuid[], call_indexes smallint[], event_ids uuid[], body_hashes text[], expiries timestamptz[])
returns bigint
language plpgsql
-- One plan for all sizes of the table: a plan that was made while it was empty would walk all of it.
set search_path = pg_catalog set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  captured bigint;
begin
  with book as materialized (
    select b.hold_id, b.account_id, b.state, b.each_micros, b.settled_calls, b.expires_at from gate.hold b
    where b.hold_id = any (book_ids) order by b.hold_id for share
  )
  insert into gate.captured_call (account_id, book_id, call_index, event_id, micros, body_hash)
  select b.account_id, b.hold_id, w.call_index, w.event_id, b.each_micros,
    decode(rpad(translate(w.body_hash, '-_', '+/'), (length(w.body_hash) + 3) / 4 * 4, '='), 'base64')
  from book b join unnest(book_ids, call_indexes, event_ids, body_hashes, expiries)
    as w (book_id, call_index, event_id, body_hash, expires_at) on w.book_id = b.hold_id
  where b.state = 'open' and w.expires_at = b.expires_at
    and case when w.call_index < length(b.settled_calls) then get_bit(b.settled_calls, w.call_index) = 0 end
  order by b.hold_id, w.call_index;
  get diagnostics captured = row_count;
  return captured;
end
$$;
revoke all on function gate.capture_calls(uuid[], smallint[], uuid[], text[], timestamptz[]) from public;
grant execute on function gate.capture_calls(uuid[], smallint[], uuid[], text[], timestamptz[]) to ingest_gateway_worker;

-- The bounds of calls in flight, by line: the usage of an account under one price version in one period. The caps that cover
-- whole lines (an account's month, a balance) hold the most that a line can rise by, not a sum of bounds per call (ADR 218).
create table gate.line (
  account_id      uuid        not null,
  price_id        uuid        not null,
  period          text        not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  tool_id         text        not null,
  settled         jsonb       not null, -- the quantities that the last settlement has seen counted
  in_flight       jsonb       not null, -- the most that its holds can add
  alone           text        check (alone in ('known', 'one')), -- a single call is in flight; `known`: with these quantities
  held_micros     bigint      not null check (held_micros >= 0), -- held for it by the caps that cover it
  counted_through timestamptz not null, -- the watermark of `settled`
  open_at         timestamptz not null, -- before the watermark has passed it, calls may be counted that nobody registered
  primary key (account_id, price_id, period)
) with (fillfactor = 50);
create index line_ended on gate.line (period);

do $$
declare
  t text;
begin
  foreach t in array array['hold', 'captured_call', 'line'] loop
    execute format('alter table gate.%I enable row level security', t);
    execute format('create policy workers on gate.%I to ingest_gateway_worker, billing_worker using (true) with check (true)', t);
  end loop;
end
$$;

-- For reconcile. A book is a row with its money, its captured calls are rows without.
create view gate.hold_v1 with (security_invoker = true) as
select hold_id, account_id, event_id, body_hash, held_micros as micros, cap_ids,
  case when call_count > 1 and held_micros > 0 then 'open' else state end as state, occurred_at, charged_micros, charged_of_caps
from gate.hold
union all
select book_id, account_id, event_id, body_hash, 0, '{}', 'captured', null, null, null from gate.captured_call;

create view gate.line_v1 with (security_invoker = true) as select account_id, price_id, period, held_micros from gate.line;

grant select, insert, update, delete on gate.hold, gate.line to ingest_gateway_worker;
grant select, insert, delete on gate.captured_call to ingest_gateway_worker;
grant select on gate.hold, gate.hold_v1, gate.captured_call, gate.line, gate.line_v1 to billing_worker;
