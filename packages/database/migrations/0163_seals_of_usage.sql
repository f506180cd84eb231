-- Facts that reconcile could not know: payout accounts that were replaced, and what the rollups of a closed month were.

-- Payout accounts that a builder had before. Movements to them stay in the books.
create table billing.past_payout_account (
  processor            text not null,
  processor_account_id text not null,
  account_id           uuid not null,
  primary key (processor, processor_account_id)
);
alter table billing.past_payout_account enable row level security;
create policy workers on billing.past_payout_account to billing_worker using (true) with check (true);
grant select, insert on billing.past_payout_account to billing_worker;
create trigger append_only before update or delete or truncate on billing.past_payout_account
  for each statement execute function billing.refuse_change();

-- The sums of the rollups of one tool and hour, as they were when a close sealed them. The close of the month seals all its
-- hours. A later close seals a tool's month again if calls of it were counted late; only the last counts.
create table billing.usage_seal (
  period      text        not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  tool_id     text        not null,
  sealed_in   text        not null check (sealed_in >= period), -- the period whose close sealed it
  hour        timestamptz not null,
  calls       bigint      not null,
  quantity    numeric     not null, -- milliseconds and measures, added up
  hash        numeric     not null, -- the sum over the rollups of the first 8 bytes of their SHA-256
  late_counts bigint      not null, -- of the tool and month, read before its rollups
  primary key (period, tool_id, sealed_in, hour)
);
alter table billing.usage_seal enable row level security;
create policy workers on billing.usage_seal to billing_worker using (true) with check (true);
grant select, insert on billing.usage_seal to billing_worker;
create trigger append_only before update or delete or truncate on billing.usage_seal
  for each statement execute function billing.refuse_change();

-- Reconcile looks keys of events up. Those in an archive are not in the table.
create or replace view usage.key_archive_v1 as
select archive_id, file_name, keys, bytes, sha256, older_than from usage.key_archive where state <> 'writing';
grant select on usage.key_archive_v1 to billing_worker;
