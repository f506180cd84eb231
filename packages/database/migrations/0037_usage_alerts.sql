-- Usage that grew so fast that a person should look: a loop, a stolen key, or calls that nobody meant to buy. One row per
-- consumer, tool and day.
create table billing.usage_alert (
  alert_id    uuid           primary key default gen_random_uuid(),
  consumer_id uuid           not null,
  tool_id     text           not null,
  day         date           not null, -- of the end of its 24 hours
  calls       numeric        not null, -- within 24 hours
  usual_calls numeric        not null, -- per day, in the 28 days before
  raised_at   timestamptz    not null,
  unique (consumer_id, tool_id, day)
);
create index usage_alert_listed on billing.usage_alert (raised_at desc, alert_id desc);

alter table billing.usage_alert enable row level security;
create policy workers on billing.usage_alert to billing_worker using (true) with check (true);
create trigger append_only before update or delete or truncate on billing.usage_alert
  for each statement execute function billing.refuse_change();
grant select, insert on billing.usage_alert to billing_worker;
