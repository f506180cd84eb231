-- Usage by the tags of passes: billing reads them, each account its own.
create policy tags_for_billing on gate.pass for select to billing_api using (account_id = (select auth.current_account_id()));
grant select (pass_id, account_id, tags) on gate.pass to billing_api;

create view gate.pass_tags_v1 with (security_invoker = true) as
select pass_id, account_id, tags from gate.pass;
grant select on gate.pass_tags_v1 to billing_api;

-- Events of one pass. Days that are past have none, so only tables of days from yesterday on get the index; later ones get
-- it from their pattern. A call may have happened a day before its receipt.
create index event_by_pass on only usage.event (pass_id, occurred_at, event_id) where pass_id is not null;
do $$
declare
  day text;
begin
  for day in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
             where i.inhparent = 'usage.event'::regclass and to_date(right(c.relname, 8), 'YYYYMMDD') >= now() at time zone 'UTC' - interval '2 days'
  loop
    execute format('create index on usage.%I (pass_id, occurred_at, event_id) where pass_id is not null', day);
  end loop;
end
$$;
