-- The metric of dead letters counts those that nobody has replayed.
create index dead_letter_waiting on usage.dead_letter (code) where replayed_at is null;
