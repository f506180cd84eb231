-- A day and a month may begin at one moment. A budget that changes on the 1st from the one to the other tells of both.
alter table gate.spending_alert add column window_end timestamptz; -- null: told by a gateway of an earlier release
update gate.spending_alert a set window_end = (
  select c.window_end from gate.cap_state c
  where c.scope = a.scope and c.owner_id = a.owner_id and c.window_start = a.window_start
  order by c.cap_micros = a.cap_micros desc, c.window_end limit 1);
alter table gate.spending_alert drop constraint spending_alert_scope_owner_id_window_start_percent_key;
alter table gate.spending_alert
  add constraint told_once_per_window unique nulls not distinct (scope, owner_id, window_start, window_end, percent);

-- A settler looks for captured holds each second. Without this index it reads all that are open: with 20,000 of them, that
-- took a core of PostgreSQL 40 ms, and those who asked meanwhile waited.
create index hold_captured on gate.hold (account_id) where state = 'captured';
