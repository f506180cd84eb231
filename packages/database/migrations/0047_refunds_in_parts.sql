-- A refund may be of named lines, or of one builder's lines: `part` says which of the released lines give back. And it may be
-- of stray money, which belongs to no invoice's lines: `stray_attempt_id` is the order whose money it gives back, a charge
-- that its invoice did not need or a refund that the bank returned.
alter table billing.refund
  add column part jsonb check (part is null or cause = 'operator' and jsonb_typeof(part) = 'object'),
  add column stray_attempt_id uuid,
  add constraint refund_of_stray_has_no_part check (part is null or stray_attempt_id is null);
create index refund_of_stray on billing.refund (stray_attempt_id) where stray_attempt_id is not null;
