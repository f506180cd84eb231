-- A close writes a line and a ledger entry for each charge. What their tables check row by row, they now check once for all
-- rows of the statement; what is promised stays the same.

-- The price and the tool of a line, as with the ledger's entries: as foreign keys, two look-ups a row, they took more than
-- half of the time in which lines are inserted. What they pointed at stays, because nothing of the catalogue is deleted.
alter table billing.invoice_line
  drop constraint invoice_line_tool_id_fkey,
  drop constraint invoice_line_price_id_fkey;
create trigger append_only before delete or truncate on billing.tool
  for each statement execute function billing.refuse_change();
create trigger append_only before delete or truncate on billing.tool_price
  for each statement execute function billing.refuse_change();

create or replace function billing.take_lines_once() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  if exists (select n.invoice_id from new_line n except select i.invoice_id from billing.invoice i
             where i.invoice_id in (select n.invoice_id from new_line n)) then
    raise exception 'there is no such invoice' using errcode = 'foreign_key_violation';
  end if;
  if exists (select n.price_id, n.tool_id from new_line n except select p.price_id, p.tool_id from billing.tool_price p
             where p.price_id in (select n.price_id from new_line n)) then
    raise exception 'there is no such price of this tool' using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from (select n.invoice_id, count(*) as lines from new_line n group by 1) added
    where added.lines <> (select count(*) from billing.invoice_line l where l.invoice_id = added.invoice_id)
  ) then
    raise exception 'a closed invoice takes no more lines' using errcode = 'check_violation';
  end if;
  return null;
end
$$;

-- As before, but the accounts are named by an array: as a join, the planner may read all accounts of the platform for the
-- few that are posted to, and a close does so batch after batch.
create or replace function billing.post_entries() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  account_ids bigint[] := array(select distinct n.ledger_account_id from new_entry n);
  accounts bigint;
begin
  if exists (select n.transaction_id from new_entry n except select t.transaction_id from billing.ledger_transaction t
             where t.transaction_id in (select n.transaction_id from new_entry n)) then
    raise exception 'there is no such ledger transaction' using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from (select n.transaction_id, count(*) as entries from new_entry n group by 1) posted
    where posted.entries <> (select count(*) from billing.ledger_entry e where e.transaction_id = posted.transaction_id)
  ) then
    raise exception 'a posted ledger transaction takes no more entries' using errcode = 'check_violation';
  end if;
  perform from billing.ledger_account a where a.ledger_account_id = any (account_ids)
  order by a.ledger_account_id for no key update;
  update billing.ledger_account a set balance_micros = a.balance_micros + moved.micros
  from (select n.ledger_account_id, sum(n.amount_micros) as micros from new_entry n group by 1) moved
  where a.ledger_account_id = moved.ledger_account_id and a.ledger_account_id = any (account_ids);
  get diagnostics accounts = row_count;
  if accounts <> cardinality(account_ids) then
    raise exception 'there is no such ledger account' using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
