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

alter table auth.totp enable row level security;
alter table auth.recovery_code enable row level security;
create policy own_rows on auth.totp to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.recovery_code to auth_api using (account_id = (select auth.current_account_id()));
grant select, insert, update, delete on auth.totp to auth_api;
grant select, insert, update (used_at), delete on auth.recovery_code to auth_api;

-- A change of the second factor ends other sessions. Rows of today satisfy the narrower check, so nothing is scanned.
alter table auth.session drop constraint session_ended_because_check;
alter table auth.session add constraint session_ended_because_check check (
  ended_because in ('logout', 'password_changed', 'password_set', 'token_reused', 'operator', 'second_factor_changed')
) not valid;
