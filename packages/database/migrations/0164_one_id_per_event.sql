-- No database has events from before there was a secret, so an event with a key has one id, and the secret is always in use.
-- No aggregator of before there were archives runs either, so keys may always be archived. The aggregator needs no secret.
drop function usage.use_event_id_secret();
drop function usage.allow_key_archives();
drop table usage.key_archive_rule;
drop view usage.event_id_secret_v1;
alter table usage.event_id_secret drop column has_old_ids, drop column in_use;
create view usage.event_id_secret_v1 as select secret from usage.event_id_secret;
grant select on usage.event_id_secret_v1 to ingest_gateway_worker;
revoke select on usage.event_id_secret from aggregator_worker;
