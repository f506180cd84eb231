-- When the processor made the event of a webhook, by its own word. Reconcile compares the inbox with the processor's list of a
-- time, and a webhook may come days later than its event.
alter table billing.webhook_event add column created_at timestamptz;
update billing.webhook_event set created_at = received_at;
alter table billing.webhook_event alter column created_at set not null;
create index webhook_event_of_time on billing.webhook_event (processor, created_at, event_id);

-- The sandbox lists its events too.
create index event_of_time on sandbox.event (created_at, event_id);
