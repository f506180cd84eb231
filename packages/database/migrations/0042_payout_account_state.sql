-- What the processor still wants of a payout account, why it is disabled, and the last payout from it that its bank refused.
-- The country is the one that the builder named; null means that the platform's country was taken.
alter table billing.connected_account
  add column country           text check (country ~ '^[A-Z]{2}$'),
  add column requirements      text[] not null default '{}',
  add column disabled_reason   text,
  add column bank_failure_code text,
  add column bank_failure_at   timestamptz,
  add check ((bank_failure_code is null) = (bank_failure_at is null));

create index connected_account_bank_failure on billing.connected_account (processor) where bank_failure_at is not null;

grant insert (country) on billing.connected_account to billing_api;
grant update (country, requirements, disabled_reason, bank_failure_code, bank_failure_at)
  on billing.connected_account to billing_worker;
