import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import pg from 'pg';

const victim = '10000000-0000-4000-8000-000000000001';
const stranger = '20000000-0000-4000-8000-000000000002';
const roles = ['auth_api', 'billing_api', 'ingest_gateway_api'] as const;

interface Table {
  readonly name: string;
  readonly policies: readonly string[];
}

const tablesText = `select format('%I.%I', n.nspname, c.relname) as name,
    (select coalesce(array_agg(quote_ident(polname)), '{}') from pg_policy
      where polrelid = c.oid and polcmd in ('r', '*') and $1::regrole = any(polroles)) as policies
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('auth', 'billing', 'notify', 'usage') and c.relkind in ('r', 'p') and not c.relispartition
    and has_schema_privilege($1, n.oid, 'usage') and has_any_column_privilege($1, c.oid, 'select')
  order by 1`;

/** A value of each type that columns have: ids are the victim's. */
const rowText = `select string_agg(quote_ident(attname), ', ') as columns, string_agg(case
      when t.typcategory = 'A' then quote_literal('{}')
      when typname = 'uuid' then quote_literal('${victim}')
      when typname in ('timestamptz', 'date') then quote_literal('2026-01-01')
      when typname in ('json', 'jsonb') then quote_literal('{}')
      when typname = 'bool' then 'true'
      when t.typcategory = 'N' then '1'
      else quote_literal('') end || '::' || format_type(atttypid, null), ', ') as values
  from pg_attribute join pg_type t on t.oid = atttypid
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity <> 'a'`;

const checksText = `select format('alter table %s drop constraint %I', $1::text, conname) as drop from pg_constraint
  where conrelid = $1::text::regclass and contype = 'c'`;

/**
 * Each row policy is tried on a row of its own. The matrix of e2e/isolation also looks for rows that nobody may see, but
 * 29 of the 41 policies could be opened there unseen, since their tables have no row.
 */
let database: TestDatabase;
let superuser: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  await superuser.query("select usage.ensure_day('2026-01-01')");
});
afterAll(async () => {
  await superuser?.end();
  await database?.drop();
});

/** Does the work with a row of the victim in the table, and undoes all of it. */
async function withRow<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  await superuser.query('begin');
  try {
    await superuser.query('set local session_replication_role = replica'); // no triggers, no foreign keys
    for (const { drop } of (await superuser.query<{ drop: string }>(checksText, [table])).rows)
      await superuser.query(drop);
    const { columns, values } = (await superuser.query(rowText, [table])).rows[0] as {
      columns: string;
      values: string;
    };
    await superuser.query(`insert into ${table} (${columns}) values (${values})`);
    return await work();
  } finally {
    await superuser.query('rollback');
  }
}

/** Whether the role sees the row, acting for an account or for none. */
async function sees(table: string, role: string, account = ''): Promise<boolean> {
  await superuser.query(`savepoint before`);
  await superuser.query(`select set_config('tollgate.account_id', $1, true)`, [account]);
  await superuser.query(`set local role ${role}`);
  const { rows } = await superuser.query(`select 1 from ${table}`);
  await superuser.query(`rollback to savepoint before`);
  return rows.length > 0;
}

const tablesOf = async (role: string) => (await superuser.query<Table>(tablesText, [role])).rows;

/** Every account may read these. */
const publicTables = [
  'billing.closed_period',
  'billing.payout_day',
  'billing.resource',
  'billing.tool',
  'billing.tool_price',
];

/** A row policy that lets too much through, and the account that then sees the row. */
const openings = [
  { using: 'true', by: '' },
  { using: 'auth.current_account_id() is not null', by: stranger },
];

describe.each(roles)('F75 %s', (role) => {
  it('sees a row of no table without an account', async () => {
    const seen: string[] = [];
    for (const { name } of await tablesOf(role)) if (await withRow(name, () => sees(name, role))) seen.push(name);
    expect(seen).toEqual([]);
  });

  it('sees nothing of another account but what is public', async () => {
    const seen: string[] = [];
    for (const { name } of await tablesOf(role))
      if (await withRow(name, () => sees(name, role, stranger))) seen.push(name);
    expect(seen.filter((name) => !publicTables.includes(name))).toEqual([]);
  });

  it.each(openings)('sees the row if any policy is opened by $using: so the tests above notice it', async (opening) => {
    const unnoticed: string[] = [];
    let opened = 0;
    for (const { name, policies } of await tablesOf(role))
      for (const policy of policies) {
        opened += 1;
        const isSeen = await withRow(name, async () => {
          await superuser.query(`alter policy ${policy} on ${name} using (${opening.using})`);
          return sees(name, role, opening.by);
        });
        if (!isSeen) unnoticed.push(`${policy} on ${name}`);
      }
    expect(opened).toBeGreaterThan(3);
    expect(unnoticed).toEqual([]);
  });
});
