-- Accounts that the operator has cut off. One row per account; a row with resumed_at is history. Services follow the view
-- by changed_seq, as they follow API keys.
create table auth.account_suspension (
  account_id   uuid        primary key references auth.account,
  reason       text        not null,
  suspended_at timestamptz not null,
  resumed_at   timestamptz,
  changed_seq  bigint      not null default nextval('auth.changed_seq')
);
create index account_suspension_changed on auth.account_suspension (changed_seq);

create trigger number_change before update on auth.account_suspension
  for each row execute function auth.number_change();
create trigger announce_change after insert or update on auth.account_suspension
  for each statement execute function auth.announce_change();

alter table auth.account_suspension enable row level security;
create policy all_rows on auth.account_suspension to auth_worker using (true) with check (true);
grant select, insert, update on auth.account_suspension to auth_worker;

create view auth.account_suspension_v1 as
  select account_id, reason, suspended_at, resumed_at, changed_seq from auth.account_suspension;
grant select on auth.account_suspension_v1 to auth_worker, ingest_gateway_worker, billing_worker;

-- The operator may end the sessions of an account. Rows of today satisfy the narrower check, so nothing is scanned.
alter table auth.session drop constraint session_ended_because_check;
alter table auth.session add constraint session_ended_because_check
  check (ended_because in ('logout', 'password_changed', 'password_set', 'token_reused', 'operator')) not valid;
