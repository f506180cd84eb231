-- Sessions of browsers: beside its row in auth.session, such a session has a cookie and no token that anybody holds. Whatever
-- ends sessions ends it. Its times are real: moving the sandbox clock neither ends nor lengthens it.

create table auth.session_cookie (
  session_id       uuid        primary key references auth.session on delete cascade,
  account_id       uuid        not null references auth.account,
  cookie_hash      bytea       not null unique check (octet_length(cookie_hash) = 32),
  created_at       timestamptz not null,
  used_at          timestamptz not null,
  second_factor_at timestamptz -- when its person last showed a code
);
alter table auth.session_cookie enable row level security;
create policy own_rows on auth.session_cookie to auth_api using (account_id = (select auth.current_account_id()));
create policy all_rows on auth.session_cookie to auth_worker using (true);
grant select, insert, update (second_factor_at) on auth.session_cookie to auth_api;
grant select on auth.session_cookie to auth_worker;

-- Services report the sessions whose cookies they saw, each at most once a minute. Rows are locked in one order, so that
-- reporters never wait for each other in a circle.
create function auth.touch_sessions(session_ids uuid[], used_at timestamptz) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update auth.session_cookie c set used_at = touch_sessions.used_at
  from (
    select s.session_id from auth.session_cookie s
    where s.session_id = any (touch_sessions.session_ids) and s.used_at < touch_sessions.used_at
    order by s.session_id
    for no key update
  ) touched
  where c.session_id = touched.session_id
$$;
revoke execute on function auth.touch_sessions(uuid[], timestamptz) from public;
grant execute on function auth.touch_sessions(uuid[], timestamptz)
  to auth_worker, ingest_gateway_worker, billing_worker, notifier_worker;

-- Published to workers. A service looks a cookie up by its hash; the end of a session is news of auth.ended_session_v1.
create view auth.session_cookie_v1 as
  select c.cookie_hash, c.session_id, c.account_id, c.created_at, c.used_at, a.operator_since is not null as is_operator,
    case when t.confirmed_at is not null then c.second_factor_at end as second_factor_at
  from auth.session_cookie c join auth.session s using (session_id)
    join auth.account a on a.account_id = c.account_id left join auth.totp t on t.account_id = c.account_id
  where s.ended_at is null;

grant select on auth.session_cookie_v1 to auth_worker, ingest_gateway_worker, billing_worker, notifier_worker;
