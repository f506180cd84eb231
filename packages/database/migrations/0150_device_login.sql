-- Sign-ins of programs that cannot show a page (RFC 8628). A program holds the device code, a person types the user code.
-- Approving begins the session, as a sign-in does, so that whatever ends sessions ends it too; the program then fetches its
-- first token, once. Both codes are hashed; the user code is short, so its hash needs a key that is not in the database.
create table auth.device_login (
  device_hash      bytea       primary key check (octet_length(device_hash) = 32),
  user_code_hash   bytea       not null unique check (octet_length(user_code_hash) = 32),
  client           text        not null check (client ~ '^[ -~]{1,80}$'),
  address          text        not null check (length(address) <= 100), -- of the program, shown to who approves
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

-- auth_api answers for the account that signs in: it turns a waiting row into one with a session of this account.
alter table auth.device_login enable row level security;
create policy waiting_or_own on auth.device_login for select to auth_api using (
  case when session_id is null then (select auth.current_account_id()) is not null
  else exists (select from auth.session s where s.session_id = device_login.session_id) end
);
create policy approve on auth.device_login for update to auth_api using (session_id is null and refused_at is null)
  with check (exists (select from auth.session s where s.session_id = device_login.session_id));
create policy all_rows on auth.device_login to auth_worker using (true) with check (true);

grant select (user_code_hash, session_id, refused_at, expires_at), update (session_id) on auth.device_login to auth_api;
grant select, insert, update, delete on auth.device_login to auth_worker;
