-- Following one event into its invoice and payout: where an event with a key lies the key table knows, as for the gateway.
grant select on usage.event_key, usage.event_key_v1 to billing_worker;

-- The first day of which events are still kept; null while there is none.
create view usage.kept_since_v1 as
select min(to_date(right(c.relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC' as kept_since
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'usage.event'::regclass;

grant select on usage.kept_since_v1 to billing_worker;
