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
  held_micros     bigint      not null check (held_micros >= 0), -- what the caps that cover it hold for it
  counted_through timestamptz not null, -- the watermark of `settled`
  open_at         timestamptz not null, -- before the watermark has passed it, calls may be counted that nobody registered
  primary key (account_id, price_id, period)
) with (fillfactor = 50);
create index line_ended on gate.line (period);
alter table gate.line enable row level security;
create policy workers on gate.line to ingest_gateway_worker, billing_worker using (true) with check (true);
grant select, insert, update, delete on gate.line to ingest_gateway_worker;

-- The lines that a hold stands in, as price_id/period. The caps that cover them are not in its cap_ids.
alter table gate.hold add lines text[] not null default '{}';
create index hold_in_line on gate.hold (account_id) where lines <> '{}' and state in ('open', 'captured');

-- Since when gateways have registered all calls of the account: since it got the first of the caps that it has.
alter table gate.settlement add capped_since timestamptz;

-- A settlement may raise what is held: calls that were counted without a hold move a line.
alter table gate.cap_state add settled_seq bigint not null default 0;
drop trigger refuse_hold_above_cap on gate.cap_state;
create trigger refuse_hold_above_cap before update on gate.cap_state for each row
  when (new.held_micros > old.held_micros and new.spent_micros + new.held_micros > new.cap_micros and new.scope <> 'balance'
    and new.settled_seq = old.settled_seq)
  execute function gate.refuse_hold_above_cap();

-- For reconcile.
create view gate.line_v1 with (security_invoker = true) as select account_id, price_id, period, held_micros from gate.line;
grant select on gate.line, gate.line_v1 to billing_worker;
