-- The last counted record of each partition, by which its log is told from another of the same name. Offsets do not tell
-- them apart: a topic that was made anew counts from 0 again, and grows beyond the cursor. Null: none was counted yet, or
-- the log lies beside the cursor in this database.
alter table usage.cursor
  add column last_offset bigint,
  add column last_appended_at timestamptz,
  add column last_hash bytea,
  add constraint last_record_is_whole check (num_nulls(last_offset, last_appended_at, last_hash) in (0, 3));
