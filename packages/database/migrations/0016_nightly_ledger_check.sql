-- Once a day the books are proved; here is when it is next, and what the last one found.
create table billing.ledger_check (
  only_row    boolean     primary key default true check (only_row),
  due_at      timestamptz not null, -- while one is under way: when another may take its place
  checked_at  timestamptz,
  differences integer -- checks that did not hold
);

alter table billing.ledger_check enable row level security;
create policy worker_checks on billing.ledger_check to billing_worker using (true) with check (true);
grant select, insert, update on billing.ledger_check to billing_worker;
