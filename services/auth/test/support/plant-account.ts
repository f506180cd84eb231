import { randomUUID } from 'node:crypto';
import type { Database } from '@tollgate/database/database';
import { columnClasses, type ColumnClass } from './personal-columns.ts';

/** Stands in everything that is planted. It fits a hash of 32 bytes, and an e-mail address. */
const planted = 'planted-by-ada';

/** The types of columns that can hold text. */
const textTypes = ['text', 'jsonb', 'json', 'bytea', 'text[]', 'character varying', 'character', 'inet', 'cidr', 'xml'];

/** The columns of all tables that can hold text, as `schema.table.column`. */
export async function listTextColumns(owner: Database): Promise<string[]> {
  const text = `select format('%s.%s.%s', n.nspname, c.relname, a.attname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
    where c.relkind in ('r', 'p', 'm') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and regexp_replace(format_type(case when t.typtype = 'd' then t.typbasetype else a.atttypid end, null), '\\(.*\\)', '')
        = any ($1)
    order by 1`;
  return (await owner.query<{ name: string }>(text, [textTypes])).map(({ name }) => name);
}

export const classOf = (column: string): ColumnClass | undefined => {
  const place = column.lastIndexOf('.');
  return columnClasses[column.slice(0, place)]?.[column.slice(place + 1)];
};

/** The columns in which the planted text stands, as text or as bytes. */
export async function findPlanted(owner: Database, text = planted): Promise<string[]> {
  const columns = await listTextColumns(owner);
  const hex = Buffer.from(text).toString('hex');
  const looks = columns.map((column, place) => {
    const [schema, table, name] = column.split('.');
    return `select ${place} as place where exists (select from ${schema}.${table} t
      where t."${name}"::text like '%${text}%' or t."${name}"::text like '%${hex}%')`;
  });
  const rows = await owner.query<{ place: number }>(looks.join(' union all '));
  return rows.map(({ place }) => columns[place] ?? '').toSorted();
}

/** Writes what a person may write of an account into every table that can hold it. Triggers tell of some of it. */
export async function plantAccount(owner: Database, accountId: string, words = planted): Promise<void> {
  const ids = { pass: randomUUID(), grant: randomUUID(), session: randomUUID(), invoice: randomUUID() };
  const slug = `tool-${randomUUID()}`;
  const statements: readonly (readonly [string, readonly unknown[]])[] = [
    [
      `insert into auth.account_suspension (account_id, reason, suspended_at, resumed_at) values ($1, $2, now(), now())`,
      [],
    ],
    [
      `insert into auth.api_key (key_id, account_id, name, key_hash, prefix, last_four, created_at, revoked_at)
       values (gen_random_uuid(), $1, $2, sha256(uuid_send(gen_random_uuid())), 'tg', 'abcd', now(), now())`,
      [],
    ],
    [`insert into auth.totp (account_id, secret_sealed, created_at) values ($1, convert_to($2, 'UTF8'), now())`, []],
    [
      `insert into auth.recovery_code (account_id, code_hash) values ($1, convert_to($2 || left(md5(random()::text), 18), 'UTF8'))`,
      [],
    ],
    [
      `insert into auth.session (session_id, account_id, token_id, token_expires_at, created_at, refreshed_at, ended_at, ended_because)
       values ($3, $1, gen_random_uuid(), now(), now(), now(), now(), left('logout' || $2, 6))`,
      [ids.session],
    ],
    [
      `insert into auth.session_cookie (session_id, account_id, cookie_hash, created_at, used_at)
       values ($3, $1, convert_to($2 || left(md5(random()::text), 18), 'UTF8'), now(), now())`,
      [ids.session],
    ],
    [
      `insert into auth.embed (embed_id, account_id, page, token_hash, session_id, created_at, expires_at)
       values (gen_random_uuid(), $1, 'usage', convert_to($2 || left(md5(random()::text), 18), 'UTF8'), $3, now(), now())`,
      [ids.session],
    ],
    [`insert into auth.embed_origins values ($1, array[$2])`, []],
    [
      `insert into auth.token_rotation values ($3, gen_random_uuid(), $1, now(), convert_to($2, 'UTF8'))`,
      [ids.session],
    ],
    [
      `insert into auth.device_login (device_hash, user_code_hash, client, address, asked_at, expires_at, interval_seconds, session_id)
       select sha256(uuid_send(s.account_id)), sha256(uuid_send($3)), $2, $2, now(), now(), 5, $3 from auth.session s
       where s.session_id = $3 and s.account_id = $1`,
      [ids.session],
    ],
    [
      `insert into auth.mail_link values (convert_to($2 || left(md5(random()::text), 18), 'UTF8'), 'password_reset', $1, now())`,
      [],
    ],
    [
      `insert into auth.letter values (gen_random_uuid(), 'password_reset', $1, convert_to($2, 'UTF8'), now(), now())`,
      [],
    ],
    [
      `insert into auth.oauth_grant (grant_id, account_id, client_id, client_name, resource, pass_id, created_at, consented_at)
       values ($3, $1, 'a-client', $2, 'https://mcp.example.com', $4, now(), now())`,
      [ids.grant, ids.pass],
    ],
    [
      `insert into auth.oauth_object (model, id_hash, payload, grant_id, successor_sealed, expires_at)
       values ('RefreshToken', sha256(uuid_send($3)), jsonb_build_object('accountId', $1::uuid, 'note', $2::text), $3,
         convert_to($2, 'UTF8'), now())`,
      [ids.grant],
    ],
    [
      `insert into gate.pass (pass_id, account_id, name, key_hash, prefix, last_four, tags, created_at)
       values ($3, $1, $2, sha256(uuid_send($3)), 'tg', 'abcd', jsonb_build_object('team', $2::text), now())`,
      [ids.pass],
    ],
    [
      `insert into gate.hold (hold_id, account_id, asker_id, tool_id, price_id, event_id, max, held_micros, cap_ids, state, asked_at,
         expires_at, reference)
       values (gen_random_uuid(), $1, $1, 'search', gen_random_uuid(), gen_random_uuid(), jsonb_build_object('metadata', $2::text),
         0, '{}', 'released', now(), now(), $2)`,
      [],
    ],
    [`select usage.ensure_day('2026-01-05'), $1::uuid, $2::text`, []],
    [
      `insert into usage.rollup_measure values ($1, 'search', '2026-01-05T10:00:00Z', true, left('tokens' || $2, 6), 12)`,
      [],
    ],
    [
      `insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, metadata, idempotency_key)
       select $1, gen_random_uuid(), 'search', at, at, true,
         jsonb_build_object('prompt', $2::text, $2::text, 7, 'tokens', 12, 'nested', jsonb_build_object('a', $2::text)), $2
       from unnest(array['2026-01-05T10:00:00Z', '2026-01-05T10:59:59Z', '2026-01-05T17:00:00Z']::timestamptz[]) as at`,
      [],
    ],
    [
      `insert into usage.dead_letter (topic, partition, log_offset, code, reason, consumer_id, tool_id, stored_at, record)
       values ('usage.events.v1', 0, (random() * 1e9)::int, 'idempotency_conflict', $2, $1, $2, now(), convert_to($2, 'UTF8'))`,
      [],
    ],
    [`insert into billing.billing_details values ($1, jsonb_build_object('name', $2::text), now())`, []],
    [
      `insert into billing.connected_account (account_id, processor, processor_account_id, created_at, country, requirements,
         disabled_reason, bank_failure_code, bank_failure_at)
       values ($1, 'sandbox', $1::uuid::text, now(), 'DE', array[$2], $2, $2, now())`,
      [],
    ],
    [`insert into billing.processor_customer values ($1, 'sandbox', $2 || $1::uuid, $2, $2, $2, 1, 2030, now())`, []],
    [
      `insert into billing.invoice (invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
         carried_out_micros, issued_at, due_at, paid_at)
       select $3, coalesce(max(number), 0) + 1, $1, '2025-12', 'paid', 0, 0, 0, 0, now(), now(), now()
       from billing.invoice where $2 <> ''`,
      [ids.invoice],
    ],
    [
      `insert into billing.invoice_parties select $3, '{}', jsonb_build_object('name', $2::text) where $1::uuid is not null`,
      [ids.invoice],
    ],
    [
      `insert into billing.mailed_print (invoice_id, pdf) select $3, convert_to($2, 'UTF8') where $1::uuid is not null`,
      [ids.invoice],
    ],
    [
      `insert into billing.balance_credit (credit_id, account_id, amount_cents, reason, created_at, effective_from)
       values (gen_random_uuid(), $1, 100, $2, now(), now())`,
      [],
    ],
    [`insert into billing.resource values ('https://' || $2 || '.example.com/' || $1::uuid, $1)`, []],
    [
      `insert into billing.tool (tool_id, owner_id, name, description, created_at, resource)
       select $3, $1, $2, $2, now(), resource from billing.resource where owner_id = $1`,
      [slug],
    ],
    [
      `insert into sandbox.customer (customer_id, idempotency_key, reference, payment_method_id, brand, last4, exp_month, exp_year, created_at)
       values ('cus_' || $1::uuid, $1::uuid::text, $1::uuid::text, $2 || $1::uuid, $2, $2, 1, 2030, now())`,
      [],
    ],
    [
      `insert into sandbox.link (token_hash, kind, object_id, return_url, expires_at)
       values (sha256(uuid_send($1::uuid)), 'card_setup', 'cus_' || $1::uuid, $2, now())`,
      [],
    ],
    [
      `insert into notify.endpoint (endpoint_id, account_id, url, types, description, secret, old_secret, old_secret_until, created_at)
       values ($3, $1, $2, array[$2], $2, convert_to($2, 'UTF8'), convert_to($2, 'UTF8'), now(), now())`,
      [ids.grant],
    ],
    [
      `insert into notify.event (event_id, account_id, type, data, happened_at, stored_at)
       values ($3, $1, 'invoice.paid', jsonb_build_object('note', $2::text), now(), now()),
         (gen_random_uuid(), null, 'account.registered', jsonb_build_object('account_id', $1::uuid, 'email', $2::text), now(), now())`,
      [ids.invoice],
    ],
    [
      `insert into notify.delivery (event_id, endpoint_id, status) select $3, $4, 'failed' where $1::uuid is not null and $2 <> ''`,
      [ids.invoice, ids.grant],
    ],
    [
      `insert into notify.attempt select $3, $4, 1, now(), 1, 500, $2, $2 where $1::uuid is not null`,
      [ids.invoice, ids.grant],
    ],
    [
      `insert into notify.mail (mail_id, account_id, type, data, link_sealed, happened_at, stored_at, due_at)
       values (gen_random_uuid(), $1, 'invoice.issued', jsonb_build_object('id', gen_random_uuid(), 'note', $2::text),
         convert_to($2, 'UTF8'), now(), now(), now())`,
      [],
    ],
    [`insert into notify.mail_opt_out values ($1, $2)`, []],
    [
      `insert into audit.act (action, result, account_id, actor, address, object_kind)
       values ('account.signed_in', 'done', $1, 'session', $2, 'account')`,
      [],
    ],
    ...['auth', 'billing', 'gate', 'notify'].map(
      (schema) =>
        [
          `insert into ${schema}.idempotency_reply (account_id, method, path, key, body_hash, status, headers, body, sealed, created_at)
           values ($1, 'POST', $2, $2, convert_to($2, 'UTF8'), 200, jsonb_build_object('location', $2::text),
             jsonb_build_object('name', $2::text), convert_to($2, 'UTF8'), now())`,
          [],
        ] as const,
    ),
    [`select gate.tell('pass.made', $1, jsonb_build_object('name', $2::text))`, []],
  ];
  for (const [text, more] of statements)
    await owner.query(text, [accountId, words, ...more]).catch((cause: unknown) => {
      throw new Error(text, { cause });
    });
}

/** The same of what opens the account: nobody signs in any more. */
export async function plantAddress(owner: Database, accountId: string): Promise<void> {
  const text = `update auth.account set email = $2 || account_id || '@example.com', password_hash = $2,
    public_name = $2, public_name_key = $2 where account_id = $1`;
  await owner.query(text, [accountId, planted]);
}
