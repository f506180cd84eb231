-- What reconcile compares caps with: the holds, and the part of spent_micros that no settled hold accounts for. That is what
-- was spent of the window before its row was made, and what was counted without a hold. Null: the row is older than this column.
alter table gate.cap_state add unheld_micros bigint;

create or replace view gate.cap_state_v1 with (security_invoker = true) as
select scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros, cap_id, unheld_micros
from gate.cap_state;

create view gate.hold_v1 with (security_invoker = true) as
select hold_id, account_id, event_id, body_hash, micros, cap_ids, state, occurred_at, charged_micros from gate.hold;
grant select on gate.hold, gate.hold_v1 to billing_worker;
