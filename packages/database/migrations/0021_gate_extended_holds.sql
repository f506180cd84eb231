-- A hold may last longer than the hour that it was asked for, and has a name by which its asker finds it.

alter table gate.hold add column reference text;
create index hold_reference on gate.hold (asker_id, reference, asked_at desc, hold_id desc)
  where reference is not null and state = 'open';

-- When the last hold of a line ends that lasts longer than an hour. The line's caps must last until then: any of its calls in
-- flight may be the one that costs.
alter table gate.line add column last_end timestamptz not null default 'epoch';
