-- Caps of passes, and books of calls: an authorization for several calls, each captured by itself.

-- Since when the pass has its cap: until everything that gateways took before is counted, the cap's row follows the rollups.
alter table gate.pass add cap_changed_at timestamptz;
alter table gate.pass add check ((cap_micros is null) = (cap_changed_at is null));
create index pass_cap_changed on gate.pass (cap_changed_at) where cap_changed_at is not null;

-- Of a book: how many calls it is for, and how many are captured. A captured call has a row of its own, which names its book;
-- its money went from the book's row to its own.
alter table gate.hold
  add call_count smallint not null default 1 check (call_count between 1 and 1000),
  add captured_count smallint not null default 0 check (captured_count between 0 and call_count),
  add book_id uuid;
create index hold_of_book on gate.hold (book_id) where book_id is not null;

-- A pass and the rows of its cap change in one transaction. It takes the number of the next settlement, so a settler that read
-- the pass before writes nothing.
create policy own_rows on gate.cap_state to ingest_gateway_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
grant select, update, delete on gate.cap_state to ingest_gateway_api;
create policy own_rows on gate.settlement to ingest_gateway_api
  using (account_id = (select auth.current_account_id())) with check (account_id = (select auth.current_account_id()));
grant select, insert, update on gate.settlement to ingest_gateway_api;
