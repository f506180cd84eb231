-- Webhooks may be lost. Once a day all that the processor may have told of is read again, in slices; here is how far that is.
create table billing.processor_sweep (
  processor  text        primary key,
  due_at     timestamptz not null, -- when it begins, or goes on
  after_kind text        not null default '',
  after_id   text        not null default '', -- all up to this one have been read
  swept_at   timestamptz -- when the last whole one ended
);
create index attempt_settled on billing.processor_attempt (processor, settled_at) where settled_at is not null;

alter table billing.processor_sweep enable row level security;
create policy worker_sweeps on billing.processor_sweep to billing_worker using (true) with check (true);
grant select, insert, update on billing.processor_sweep to billing_worker;
