-- Embeds, and the consents of an account as it sees them. Embeds: pages of the console that an account shows inside a product of its own. Times are real, as those of browsers' sessions.

create table auth.embed (
  embed_id   uuid        primary key,
  account_id uuid        not null references auth.account,
  page       text        not null check (page in ('usage', 'earnings', 'invoices')),
  token_hash bytea       not null unique check (octet_length(token_hash) = 32),
  session_id uuid        references auth.session on delete cascade, -- an embed ends with what made it
  key_id     uuid        references auth.api_key on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (num_nonnulls(session_id, key_id) = 1)
);
create index embed_of_account on auth.embed (account_id, expires_at);
create index embed_by_age on auth.embed (expires_at);
create index embed_of_session on auth.embed (session_id) where session_id is not null;
create index embed_of_key on auth.embed (key_id) where key_id is not null;

-- The origins whose pages may frame embeds of the account.
create table auth.embed_origins (
  account_id uuid   primary key references auth.account,
  origins    text[] not null check (cardinality(origins) <= 20)
);

alter table auth.embed enable row level security;
alter table auth.embed_origins enable row level security;
create policy own_rows on auth.embed to auth_api using (account_id = (select auth.current_account_id()));
create policy all_rows on auth.embed to auth_worker using (true);
create policy own_rows on auth.embed_origins to auth_api using (account_id = (select auth.current_account_id()));
grant select, insert on auth.embed to auth_api;
grant select, delete on auth.embed to auth_worker;
grant select, insert, update on auth.embed_origins to auth_api;

-- Published to workers: the tokens whose account is open and whose maker has not ended.
create view auth.embed_v1 as
  select e.token_hash, e.embed_id, e.account_id, e.page, e.expires_at
  from auth.embed e join auth.account a using (account_id)
    left join auth.session s on s.session_id = e.session_id left join auth.api_key k on k.key_id = e.key_id
  where a.closed_at is null and s.ended_at is null and k.revoked_at is null;
grant select on auth.embed_v1 to auth_worker, ingest_gateway_worker, billing_worker, notifier_worker;

-- Published to billing, which serves the page: who may frame it. An embed that has ended may still be framed, and says so.
create view auth.embed_frame_v1 as
  select e.embed_id, o.origins
  from auth.embed e join auth.account a using (account_id) join auth.embed_origins o using (account_id)
  where a.closed_at is null
    and not exists (select from auth.account_suspension x where x.account_id = e.account_id and x.resumed_at is null);
grant select on auth.embed_frame_v1 to billing_worker;

-- The consents of the transaction's account whose passes were not revoked. A client that got a token has its refresh token here.
create view auth.own_consent_v1 with (security_barrier) as
  select g.grant_id, g.client_id, g.client_name, g.resource, g.pass_id, p.tool_ids, p.cap_micros, p.cap_window,
    p.per_call_max_micros, p.approve_above_micros, p.is_paused, g.created_at, g.consented_at, p.expires_at,
    (select max(to_timestamp((o.payload ->> 'iat')::double precision)) from auth.oauth_object o
      where o.grant_id = g.grant_id and o.model = 'RefreshToken') as last_token_at
  from auth.oauth_grant g join gate.pass_state_v1 p using (pass_id)
  where g.account_id = (select auth.current_account_id()) and g.ended_at is null and p.revoked_at is null;
grant select on auth.own_consent_v1 to auth_api;
