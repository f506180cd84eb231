import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import type { CatalogueTransaction } from '../../src/catalogue/catalogue.ts';
import { createPrismaCatalogue } from '../../src/catalogue/prisma-catalogue.ts';
import { silentLog as log } from '../support/silent-log.ts';
import { useDatabase } from '../support/use-database.ts';
import { readFile } from 'node:fs/promises';

const createdAtMs = Date.parse('2026-11-21T12:00:00.123Z');
const owner = randomUUID();
const stranger = randomUUID();

const db = useDatabase();
let catalogue: ReturnType<typeof createPrismaCatalogue>;

const as = <T>(accountId: string, work: (tx: CatalogueTransaction) => Promise<T>) =>
  catalogue.transaction(work, { accountId });

function toolOf(ownerId: string, slug = `tool-${randomUUID()}`) {
  const tool = {
    slug,
    ownerId,
    name: 'A tool',
    description: null,
    defaultMax: null,
    resource: null,
    archivedAtMs: null,
    createdAtMs,
  };
  const price = { currency: 'usd' as const, charges: [], bill_failed_calls: false };
  return { tool, first: { id: uuidV7(createdAtMs), slug, effectiveFromMs: null, price, createdAtMs } };
}

async function registered(): Promise<string> {
  const { tool, first } = toolOf(owner);
  await as(owner, (tx) => tx.tools.add(tool, first));
  return tool.slug;
}

/** The type of a column in the database, for each type that prisma/schema.prisma uses. */
const databaseTypes: Record<string, string> = {
  BigInt: 'bigint',
  'DateTime @db.Timestamptz(6)': 'timestamp with time zone',
  Json: 'jsonb',
  String: 'text',
  'String @db.Uuid': 'uuid',
  'String[]': 'text[]',
};

type Columns = Record<string, Record<string, string>>;

async function columnsOfPrismaSchema(): Promise<Columns> {
  const schema = await readFile(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const columns: Columns = {};
  for (const [, body = ''] of schema.matchAll(/^model \w+ \{\n(.*?)^\}/gms)) {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '';
    columns[table] = Object.fromEntries(body.split('\n').flatMap(columnOfLine));
  }
  return columns;
}

const fieldPattern =
  /^ {2}(?<field>\w+)\s+(?<type>\w+(?:\[\])?)(?<optional>\?)?(?=.*?(?<native>@db\.\S+)|)(?=.*?@map\("(?<column>\w+)"\)|)/;

/** None for relations, block attributes and empty lines. */
function columnOfLine(line: string): [string, string][] {
  const { field, type = '', optional, native, column } = fieldPattern.exec(line)?.groups ?? {};
  const isRelation = /^(?:Tool|ToolPrice)\b/.test(type);
  if (field === undefined || isRelation) return [];
  const prismaType = native === undefined ? type : `${type} ${native}`;
  const databaseType = databaseTypes[prismaType] ?? `unknown: ${prismaType}`;
  return [[column ?? field, optional === undefined ? `${databaseType} not null` : databaseType]];
}

async function columnsOfDatabase(tables: readonly string[]): Promise<Columns> {
  const rows = await db.owner.query<{ table: string; column: string; type: string }>(
    `select c.relname as table, a.attname as column,
       format_type(a.atttypid, null) || case when a.attnotnull then ' not null' else '' end as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'billing'::regnamespace and c.relname = any ($1) and a.attnum > 0 and not a.attisdropped
     order by c.relname, a.attnum`,
    [tables],
  );
  const columns: Columns = {};
  for (const { table, column, type } of rows) (columns[table] ??= {})[column] = type;
  return columns;
}

describe('the catalogue in PostgreSQL', () => {
  beforeAll(async () => {
    await db.owner.query(`alter database ${db.database.name} set timezone to 'America/Sao_Paulo'`);
    catalogue = createPrismaCatalogue({ url: db.database.urlFor('billing_api'), maxConnections: 4, log });
    await catalogue.start();
  });
  afterAll(() => catalogue.stop());

  it('keeps times to the millisecond, whatever time zone the database is in', async () => {
    const slug = await registered();
    const found = await as(owner, (tx) => tx.tools.find(slug, createdAtMs));
    expect(found).toMatchObject({ slug, createdAtMs, defaultMax: null, resource: null, archivedAtMs: null });
    const text = 'select 1 from billing.tool where tool_id = $1 and created_at = $2::timestamptz';
    expect(await db.owner.query(text, [slug, toIso(createdAtMs)])).toHaveLength(1);
  });

  it('lets nobody write for another account, even if the code asked for it', async () => {
    const slug = await registered();
    const { tool, first } = toolOf(owner);
    const refusal = /row-level security/;
    await expect(as(stranger, (tx) => tx.tools.add(tool, first))).rejects.toThrow(refusal);
    await expect(as(stranger, (tx) => tx.prices.add({ ...first, slug, effectiveFromMs: 0 }))).rejects.toThrow(refusal);
    expect(await as(stranger, (tx) => tx.tools.change({ slug, ownerId: owner }, { name: 'taken over' }))).toBe(false);
    await as(stranger, (tx) => tx.tools.archive({ slug, ownerId: owner }, createdAtMs));
    const found = await as(owner, (tx) => tx.tools.find(slug, createdAtMs));
    expect(found).toMatchObject({ name: 'A tool', defaultMax: null, resource: null, archivedAtMs: null });
  });

  it('never deletes, unarchives, renames a slug or rewrites a price', async () => {
    const slug = await registered();
    await as(owner, (tx) => tx.tools.archive({ slug, ownerId: owner }, createdAtMs));
    for (const statement of [
      `delete from billing.tool`,
      `delete from billing.tool_price`,
      `update billing.tool_price set price = '{}'`,
      `update billing.tool set tool_id = 'another'`,
      `update billing.tool set archived_at = null`,
    ]) {
      await expect(as(owner, (tx) => tx.query(statement))).rejects.toThrow(/permission denied|stays archived/);
    }
  });

  it('finds the price in force among thousands of versions', async () => {
    const slug = await registered();
    await db.owner.query(
      `insert into billing.tool_price (price_id, tool_id, effective_from, price, measures, created_at)
       select gen_random_uuid(), $1, '2026-01-01T00:00:00Z'::timestamptz + make_interval(hours => n),
         jsonb_build_object('n', n), '{}', now() from generate_series(0, 9999) n`,
      [slug],
    );
    const nowMs = Date.parse('2026-01-03T05:59:59.999Z');
    const page = await as(owner, (tx) => tx.tools.list({ of: { ownerId: owner }, limit: 100, nowMs }));
    const found = await as(owner, (tx) => tx.tools.find(slug, nowMs));
    expect(found?.price).toEqual({ n: 53 });
    expect(page.rows.find((tool) => tool.slug === slug)?.price).toEqual({ n: 53 });
  });

  it('shows nothing to a connection without an account', async () => {
    await registered();
    const rows = await as('', (tx) => tx.query<{ count: bigint }>('select count(*) from billing.tool'));
    expect(rows).toEqual([{ count: 0n }]);
  });

  it('tells a machine that is away from a request that is wrong', async () => {
    const away = createPrismaCatalogue({ url: 'postgresql://billing_api:x@127.0.0.1:9/none', maxConnections: 1, log });
    const found = away.transaction((tx) => tx.tools.find('any', 0), { accountId: owner });
    await expect(found).rejects.toMatchObject({ kind: 'unavailable' });
    await away.stop();
  });
});

describe('the Prisma schema', () => {
  it('has the columns of the migrated database, with their types and nullability, no more and no fewer', async () => {
    const expected = await columnsOfPrismaSchema();
    expect(Object.keys(expected)).toEqual(['tool', 'tool_price']);
    expect(await columnsOfDatabase(Object.keys(expected))).toEqual(expected);
  });
});
