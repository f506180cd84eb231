-- Accounts, their second factors, sessions and signing keys. Only the auth service writes here; others read the views at the
-- end. auth_api acts for one account under row-level policies; auth_worker finds accounts, keeps signing keys and cleans up.

-- Grows with each change that others keep in memory. Transactions commit out of order: pollers re-read a small overlap.
create sequence auth.changed_seq;

create table auth.account (
  account_id          uuid primary key,
  email               text not null unique check (email = lower(email) and length(email) <= 254),
  password_hash       text not null,
  password_changed_at timestamptz not null,
  operator_since      timestamptz, -- its browsers open the operator's routes, with a second factor
  created_at          timestamptz not null,
  email_verified_at   timestamptz, -- its owner has followed a link that was sent there
  email_bounced_at    timestamptz, -- a mail server has said for good that the address takes no mail; none is sent there
  closed_at           timestamptz  -- its owner has closed it: nobody signs in any more
);

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

-- A second factor of accounts. One row per account; the factor counts once it is confirmed. The secret is sealed like a
-- signing key. A code is accepted for a greater time step than last_step alone, so each code works once.
create table auth.totp (
  account_id    uuid        primary key references auth.account,
  secret_sealed bytea       not null,
  created_at    timestamptz not null,
  confirmed_at  timestamptz,
  last_step     bigint,
  check ((confirmed_at is null) = (last_step is null))
);
-- Each code has 120 random bits, so a fast hash keeps it as well as a slow one does. Used codes stay until the next set.
create table auth.recovery_code (
  account_id uuid        not null references auth.totp on delete cascade,
  code_hash  bytea       not null check (octet_length(code_hash) = 32),
  used_at    timestamptz,
  primary key (account_id, code_hash)
);

-- A session is a lineage of access tokens; token_id is its newest and the only one that refreshes.
create table auth.session (
  session_id       uuid primary key,
  account_id       uuid not null references auth.account,
  token_id         uuid not null,
  token_expires_at timestamptz not null,
  created_at       timestamptz not null,
  refreshed_at     timestamptz not null,
  ended_at         timestamptz,
  ended_because    text constraint session_ended_because_check check (
    ended_because in ('logout', 'password_changed', 'password_set', 'token_reused', 'operator', 'second_factor_changed',
      'account_closed')
  ),
  changed_seq      bigint not null default nextval('auth.changed_seq'),
  check ((ended_at is null) = (ended_because is null))
);
create index session_of_account on auth.session (account_id) where ended_at is null;
create index session_ended on auth.session (changed_seq) where ended_at is not null;
create index session_by_age on auth.session (refreshed_at);

-- Tokens replaced within the last seconds, with what replaced them (sealed), so that concurrent refreshes get one answer.
create table auth.token_rotation (
  session_id       uuid not null references auth.session on delete cascade,
  token_id         uuid not null,
  account_id       uuid not null,
  rotated_at       timestamptz not null,
  successor_sealed bytea not null,
  primary key (session_id, token_id)
);

-- Sign-ins of programs that cannot show a page (RFC 8628). A program holds the device code, a person types the user code.
-- Approving begins the session, as a sign-in does, so that whatever ends sessions ends it too; the program then fetches its
-- first token, once. Both codes are hashed; the user code is short, so its hash needs a key that is not in the database.
create table auth.device_login (
  device_hash      bytea       primary key check (octet_length(device_hash) = 32),
  user_code_hash   bytea       not null unique check (octet_length(user_code_hash) = 32),
  client           text        not null check (client ~ '^[ -~]{1,80}$'),
  address          text        not null check (length(address) <= 100), -- the program's, shown before the approval
  asked_at         timestamptz not null,
  expires_at       timestamptz not null,
  interval_seconds int         not null,
  polled_at        timestamptz,
  session_id       uuid        unique references auth.session on delete cascade,
  refused_at       timestamptz,
  redeemed_at      timestamptz,
  check (session_id is null or refused_at is null),
  check (redeemed_at is null or session_id is not null)
);
create index device_login_by_age on auth.device_login (expires_at);

-- Per use at most one key signs. A retired key signs no more and has no private half, but verifies until its row is deleted:
-- an expired token must still refresh. A verifier takes keys of one use alone, so a token of OAuth is never a session.
create table auth.signing_key (
  key_id         text primary key,
  key_use        text not null default 'session' check (key_use in ('session', 'oauth')),
  public_jwk     jsonb not null,
  private_sealed bytea,
  created_at     timestamptz not null,
  retired_at     timestamptz,
  check ((retired_at is null) = (private_sealed is not null))
);
create unique index one_key_signs on auth.signing_key (key_use) where retired_at is null;

-- The first answer to a request with an Idempotency-Key. `sealed` has the secrets of an answer, which open by the credential
-- of the caller alone.
create table auth.idempotency_reply (
  account_id uuid not null,
  method     text not null,
  path       text not null,
  key        text not null,
  body_hash  bytea not null,
  status     int,
  headers    jsonb,
  body       jsonb,
  created_at timestamptz not null,
  sealed     bytea,
  primary key (account_id, method, path, key)
);
create index idempotency_reply_by_age on auth.idempotency_reply (created_at);

-- Changes are numbered and announced in the transaction that makes them. The payload only says where to look.
create function auth.number_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.changed_seq := nextval('auth.changed_seq');
  return new;
end $$;

create function auth.announce_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('auth_changed', tg_table_name);
  return null;
end $$;
revoke execute on function auth.number_change(), auth.announce_change() from public;

create trigger number_change before update of ended_at on auth.session
  for each row execute function auth.number_change();
create trigger announce_change after insert or update of retired_at or delete on auth.signing_key
  for each statement execute function auth.announce_change();
-- For each row: a refresh or a sign-in is not news, and announcing takes a lock that all announcing commits share.
create trigger announce_change after update of ended_at on auth.session
  for each row when (old.ended_at is distinct from new.ended_at) execute function auth.announce_change();
create trigger number_change before update on auth.account_suspension
  for each row execute function auth.number_change();
create trigger announce_change after insert or update on auth.account_suspension
  for each statement execute function auth.announce_change();

-- auth_api sees and touches the rows of its transaction's account; without an account, none.
alter table auth.account enable row level security;
alter table auth.account_suspension enable row level security;
alter table auth.totp enable row level security;
alter table auth.recovery_code enable row level security;
alter table auth.session enable row level security;
alter table auth.token_rotation enable row level security;
alter table auth.device_login enable row level security;
alter table auth.signing_key enable row level security;
alter table auth.idempotency_reply enable row level security;

create policy own_rows on auth.account to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.totp to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.recovery_code to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.session to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.token_rotation to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.idempotency_reply to auth_api using (account_id = (select auth.current_account_id()));

create policy all_rows on auth.account to auth_worker using (true);
create policy all_rows on auth.account_suspension to auth_worker using (true) with check (true);
create policy all_rows on auth.session to auth_worker using (true);
create policy all_rows on auth.token_rotation to auth_worker using (true);
create policy all_rows on auth.signing_key to auth_worker using (true);
create policy all_rows on auth.idempotency_reply to auth_worker using (true);

-- auth_api answers for the account that signs in: it turns a waiting row into one with a session of this account.
create policy waiting_or_own on auth.device_login for select to auth_api using (
  case when session_id is null then (select auth.current_account_id()) is not null
  else exists (select from auth.session s where s.session_id = device_login.session_id) end
);
create policy approve on auth.device_login for update to auth_api using (session_id is null and refused_at is null)
  with check (exists (select from auth.session s where s.session_id = device_login.session_id));
create policy all_rows on auth.device_login to auth_worker using (true) with check (true);

grant select, update (password_hash, password_changed_at, email_verified_at, email_bounced_at, closed_at) on auth.account to auth_api;
grant select, insert, update, delete on auth.totp to auth_api;
grant select, insert, update (used_at), delete on auth.recovery_code to auth_api;
grant select, insert, update on auth.session to auth_api;
grant select, insert, delete on auth.token_rotation to auth_api;
grant select (user_code_hash, session_id, refused_at, expires_at), update (session_id) on auth.device_login to auth_api;
grant select, insert, update, delete on auth.idempotency_reply to auth_api;
grant usage on sequence auth.changed_seq to auth_api, auth_worker;

grant select, insert, update (password_hash, password_changed_at, operator_since) on auth.account to auth_worker;
grant select, insert, update on auth.account_suspension to auth_worker;
grant select, insert, update, delete on auth.session to auth_worker;
grant select, delete on auth.token_rotation to auth_worker;
grant select, insert, update, delete on auth.device_login to auth_worker;
grant select, insert, update, delete on auth.signing_key to auth_worker;
grant select, delete on auth.idempotency_reply to auth_worker;
grant select on sequence auth.changed_seq to auth_worker;

-- Published. A directory spans accounts, so only workers read it, never an _api role.
create view auth.account_directory_v1 as
  select account_id, email, created_at, email_verified_at, email_bounced_at from auth.account;

create view auth.account_suspension_v1 as
  select account_id, reason, suspended_at, resumed_at, changed_seq from auth.account_suspension;

create view auth.ended_session_v1 as
  select session_id, ended_at, changed_seq from auth.session where ended_at is not null;

create view auth.signing_key_v1 as
  select key_id, key_use, public_jwk, created_at, retired_at from auth.signing_key;

grant select on auth.account_directory_v1 to auth_worker, billing_worker, notifier_worker;
grant select on auth.account_suspension_v1, auth.ended_session_v1, auth.signing_key_v1
  to auth_worker, ingest_gateway_worker, billing_worker;
