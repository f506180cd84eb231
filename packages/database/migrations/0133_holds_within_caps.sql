-- No hold brings a cap above its amount, whatever a gateway has decided. Only updates that raise what is held are refused: a
-- settlement moves money from held to spent, also above a cap that was lowered since, and a new row has what was on its way.
-- The bound of a balance is read at the decision, not stored, so its rows are left out.
create function gate.refuse_hold_above_cap() returns trigger
language plpgsql set search_path = pg_catalog
as $$
begin
  raise exception 'cap % of % has spent %, and cannot hold %', new.cap_id, new.cap_micros, new.spent_micros, new.held_micros
    using errcode = 'check_violation';
end
$$;
create trigger refuse_hold_above_cap before update on gate.cap_state for each row
  when (new.held_micros > old.held_micros and new.spent_micros + new.held_micros > new.cap_micros and new.scope <> 'balance')
  execute function gate.refuse_hold_above_cap();
