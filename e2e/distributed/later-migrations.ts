/**
 * Migrations that later versions may bring to the busiest tables, one of each kind. They take every lock that a migration
 * takes, and change columns in ways that a prepared statement may not survive. Each has one concern: a
 * migration that fills a column and then locks its table waits for a request that waits for the filled rows.
 */
export const laterMigrations: Readonly<Record<string, string>> = {
  '9001_add_columns_to_what_is_counted': `
    alter table usage.event add column region text;
    alter table usage.rollup add column region text not null default '';
    alter table usage.cursor add column note text`,
  '9002_add_columns_to_the_log': `
    alter table event_log.partition add column note text;
    alter table event_log.record_batch add column codec text not null default 'none'`,
  '9003_add_columns_to_accounts_and_keys': `
    alter table auth.account add column locale text;
    alter table auth.session add column device text;
    alter table auth.api_key add column note text not null default ''`,
  '9004_add_columns_to_the_catalogue': `
    alter table billing.tool add column homepage text;
    alter table billing.tool_price add column note text`,
  '9005_index_what_is_written': `
    create index rollup_by_region on usage.rollup (tool_id, region);
    create index event_by_region on usage.event (region, occurred_at);
    create index tool_by_homepage on billing.tool (homepage)`,
  '9006_make_a_table': `
    create table billing.announcement (announcement_id bigint generated always as identity primary key,
      tool_id bigint not null, text text not null);
    alter table billing.announcement enable row level security;
    create policy worker_announcements on billing.announcement to billing_worker using (true) with check (true);
    grant select, insert on billing.announcement to billing_worker`,
  '9007_check_what_is_there': `
    alter table usage.rollup add constraint calls_are_not_negative check (calls >= 0) not valid;
    alter table billing.tool add constraint homepage_is_short check (length(homepage) < 1000) not valid`,
  '9008_prove_the_checks': `
    alter table usage.rollup validate constraint calls_are_not_negative;
    alter table billing.tool validate constraint homepage_is_short`,
  '9009_replace_a_view': `
    do $$ begin
      execute 'create or replace view usage.rollup_v1 with (security_invoker = true) as '
        || pg_get_viewdef('usage.rollup_v1'::regclass);
    end $$`,
  '9010_grant_what_was_not': `
    grant select on usage.rollup, usage.event to notifier_api;
    revoke select on usage.rollup, usage.event from notifier_api;
    grant select (locale), update (locale) on auth.account to auth_api`,
  '9011_fill_what_was_added': `update usage.rollup set region = 'unknown' where region = ''`,
  '9012_enforce_it': `
    alter table usage.rollup alter column region set default 'unknown';
    alter table usage.event alter column region set default 'unknown'`,
  '9013_drop_what_nobody_needs': `
    drop index usage.event_by_region;
    alter table event_log.partition drop column note;
    alter table auth.api_key drop column note`,
};
