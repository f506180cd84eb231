-- The captured calls of books. A row of gate.hold per call took PostgreSQL 88 µs of the call's 155 from capture to settlement:
-- it had four index entries, was read and locked, and had three more when it was settled. A row here has one, and is deleted once
-- the call is settled; its bit in the book stays.
create table gate.captured_call (
  account_id uuid     not null, -- who pays
  book_id    uuid     not null, -- its row in gate.hold
  call_index smallint not null,
  event_id   uuid     not null,
  micros     bigint   not null check (micros >= 0), -- its part of what the book holds
  body_hash  bytea    not null,
  primary key (account_id, book_id, call_index)
) with (autovacuum_vacuum_scale_factor = 0.05);
alter table gate.captured_call enable row level security;
create policy workers on gate.captured_call to ingest_gateway_worker, billing_worker using (true) with check (true);
grant select, insert, delete on gate.captured_call to ingest_gateway_worker;
grant select on gate.captured_call to billing_worker;

-- Of a book; null for a hold of one call. A book's held_micros are what it holds for all calls that are not settled, in any
-- state. Statements of gateways of an earlier release name the column that is renamed, so they fail: these would capture calls
-- as rows of gate.hold, and free a book's money with that of its captured calls. Who has a cap gets 503 from them.
alter table gate.hold rename micros to held_micros;
alter table gate.hold
  add each_micros     bigint,      -- held for each call that is not captured
  add settled_calls   bit varying, -- 1: the call is settled
  add charged_of_caps bigint[];    -- what settled calls came to in the window of each of cap_ids; null before the first

-- A call's row had an id that was made of the book's and its index, so each index is tried.
create temporary table call on commit drop as
select b.hold_id as book_id, i::smallint as call_index, h.hold_id, h.account_id, h.event_id, h.held_micros, h.body_hash, h.state,
  h.cap_ids, h.occurred_at, h.charged_micros
from gate.hold b cross join lateral generate_series(0, b.call_count - 1) as i
cross join lateral encode(sha256(convert_to('call', 'UTF8') || '\x00' || convert_to(b.hold_id::text, 'UTF8') || '\x00'
  || convert_to(i::text, 'UTF8')), 'hex') as hex
cross join lateral (select concat_ws('-', substr(hex, 1, 8), substr(hex, 9, 4), '8' || substr(hex, 14, 3),
  to_hex(('x' || substr(hex, 17, 1))::bit(4)::int & 3 | 8) || substr(hex, 18, 3), substr(hex, 21, 12))::uuid as id) as made
join gate.hold h on h.hold_id = made.id and h.book_id = b.hold_id
where b.captured_count > 0;
create index on call (book_id);
analyze call;
insert into gate.captured_call (account_id, book_id, call_index, event_id, micros, body_hash)
select account_id, book_id, call_index, event_id, held_micros, body_hash from call where state = 'captured';
-- What a book that has ended held for open calls was free already. A cap that came later may hold its captured calls only.
update gate.hold b set
  held_micros = case when b.state = 'open' then b.held_micros else 0 end
    + coalesce((select sum(c.held_micros) from call c where c.book_id = b.hold_id and c.state = 'captured'), 0),
  each_micros = case when b.captured_count < b.call_count then b.held_micros / (b.call_count - b.captured_count) else 0 end,
  settled_calls = coalesce((
    select bit_or(set_bit(repeat('0', b.call_count)::varbit, c.call_index, 1)) from call c
    where c.book_id = b.hold_id and c.state = 'settled'), repeat('0', b.call_count)::varbit),
  cap_ids = b.cap_ids || array(
    select distinct cap_id from call c cross join lateral unnest(c.cap_ids) as cap_id
    where c.book_id = b.hold_id and c.state in ('captured', 'settled') and cap_id <> all (b.cap_ids) order by cap_id)
where b.call_count > 1;
update gate.hold b set
  charged_micros = (select sum(c.charged_micros) from call c where c.book_id = b.hold_id),
  charged_of_caps = array(
    select coalesce((
      select sum(c.charged_micros) from call c join gate.cap_state s on s.cap_id = cap.cap_id
      where c.book_id = b.hold_id and cap.cap_id = any (c.cap_ids)
        and c.occurred_at >= s.window_start and c.occurred_at < s.window_end), 0)::bigint
    from unnest(b.cap_ids) with ordinality as cap (cap_id, place) order by place)
where b.hold_id in (select book_id from call where state = 'settled');
delete from gate.hold where hold_id in (select hold_id from call);

-- A settler looks for expired books each second, among thousands of expired holds of one call.
create index hold_open_book on gate.hold (account_id, expires_at) where state = 'open' and call_count > 1;

-- For reconcile. A book is a row with its money, its captured calls are rows without.
create or replace view gate.hold_v1 with (security_invoker = true) as
select hold_id, account_id, event_id, body_hash, held_micros as micros, cap_ids,
  case when call_count > 1 and held_micros > 0 then 'open' else state end as state, occurred_at, charged_micros, charged_of_caps
from gate.hold
union all
select book_id, account_id, event_id, body_hash, 0, '{}', 'captured', null, null, null from gate.captured_call;

alter table gate.hold drop captured_count, drop book_id;
alter table gate.hold
  add check ((call_count > 1) = (settled_calls is not null)), add check ((call_count > 1) = (each_micros is not null));

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
