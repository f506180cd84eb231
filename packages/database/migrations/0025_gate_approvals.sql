-- Approvals: an ask that the limits of a pass do not cover goes through once the owner of the pass has approved it. The gateway
-- offers and uses them, auth shows them to the owner and takes the answer.
--
--   open ──▶ approved ──▶ used
--     └──▶ refused
--
-- Each state but used lasts until expires_at.
create table gate.approval (
  approval_id   uuid        primary key,
  account_id    uuid        not null, -- the owner of the pass
  pass_id       uuid        not null,
  tool_id       text        not null,
  call_count    smallint    not null check (call_count between 1 and 1000),
  call_micros   bigint      not null check (call_micros > 0), -- the most that all its calls may come to
  -- The part of it that the cap of the pass has no room for. 0: it only needs the approval.
  beyond_micros bigint      not null check (beyond_micros between 0 and call_micros),
  state         text        not null default 'open' check (state in ('open', 'approved', 'refused', 'used')),
  created_at    timestamptz not null,
  expires_at    timestamptz not null check (expires_at > created_at),
  hold_id       uuid,  -- the authorization that used it
  used_in       xid8,  -- the transaction of that
  check ((state = 'used') = (hold_id is not null)),
  check ((state = 'used') = (used_in is not null))
) with (fillfactor = 70);
create unique index one_open_approval on gate.approval (pass_id, tool_id) where state = 'open';
create index approval_of_pass on gate.approval (pass_id, tool_id, created_at);
create index approval_of_account on gate.approval (account_id, created_at desc, approval_id desc) where state = 'open';
create index approval_ended on gate.approval (expires_at);

alter table gate.approval enable row level security;
create policy workers on gate.approval to ingest_gateway_worker using (true) with check (true);
create policy own_rows on gate.approval to auth_api using (account_id = (select auth.current_account_id()));
grant select, insert, update, delete on gate.approval to ingest_gateway_worker;
grant select, update (state, expires_at) on gate.approval to auth_api;

-- The live passes of the account of the transaction and what they have spent, for the pages of its approvals.
create view gate.own_pass_v1 with (security_barrier) as
select pass_id, name, cap_micros, cap_window, expires_at from gate.pass
where account_id = (select auth.current_account_id()) and revoked_at is null;
create view gate.own_pass_spending_v1 with (security_barrier) as
select owner_id as pass_id, window_start, window_end, spent_micros, held_micros from gate.cap_state
where scope = 'pass' and account_id = (select auth.current_account_id());
grant select on gate.own_pass_v1, gate.own_pass_spending_v1 to auth_api;
