import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { useDatabase } from '../support/use-database.ts';

const db = useDatabase();

/** The type of a column in the database, for each type that prisma/schema.prisma uses. */
const databaseTypes: Record<string, string> = {
  BigInt: 'bigint',
  'DateTime @db.Timestamptz(6)': 'timestamp with time zone',
  Json: 'jsonb',
  String: 'text',
  'String @db.Uuid': 'uuid',
  'String[]': 'text[]',
};

describe('the Prisma schema', () => {
  it('has the columns of the migrated database, with their types and nullability, no more and no fewer', async () => {
    const expected = await columnsOfPrismaSchema();
    expect(Object.keys(expected)).toEqual(['tool', 'tool_price']);
    expect(await columnsOfDatabase(Object.keys(expected))).toEqual(expected);
  });
});

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
