import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  toBooleanColumn,
  toByteaColumn,
  toInt8Column,
  toJsonbColumn,
  toTextColumn,
  toTimeColumn,
  toUuidColumn,
} from '../../src/counting/sql-binary-array.ts';
import { countingFixture } from '../support/counting-fixture.ts';

const fixture = countingFixture();

const storable = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed());
const yearOneMs = new Date('0001-01-01T00:00:00.000Z').getTime();
const year9999Ms = new Date('9999-12-31T23:59:59.999Z').getTime();

const columns = [
  ['uuid', toUuidColumn, fc.uuid(), (id: string) => id],
  ['text', toTextColumn, storable, (text: string) => text],
  ['jsonb', toJsonbColumn, fc.dictionary(storable, storable).map((value) => JSON.stringify(value)), canonical],
  [
    'bytea',
    toByteaColumn,
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    hex,
  ],
  ['timestamptz', toTimeColumn, fc.integer({ min: yearOneMs, max: year9999Ms }), (ms: number) => BigInt(ms)],
  ['int8', toInt8Column, fc.maxSafeInteger(), (value: number) => BigInt(value)],
  ['bool', toBooleanColumn, fc.boolean(), (value: boolean) => value],
] as const;

/** The form in which the test reads a value: times as whole milliseconds, since `Date` has no more. */
const readAs: Partial<Record<string, string>> = {
  jsonb: 'value::text',
  bytea: `encode(value, 'hex')`,
  timestamptz: '(extract(epoch from value) * 1000)::bigint',
};

it.each(columns)(
  'PostgreSQL reads the values of a column of %s, each null in its place',
  async (type, toColumn, any, as) => {
    const rowsOf = (values: readonly unknown[]) =>
      fixture.database.query<{ value: unknown }>(
        `select ${readAs[type] ?? 'value'} as value from unnest($1::${type}[]) with ordinality as t (value, place) order by place`,
        [(toColumn as (values: readonly unknown[]) => Buffer)(values)],
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(any as fc.Arbitrary<unknown>, { nil: undefined }), { maxLength: 40 }),
        async (values) => {
          const rows = await rowsOf(values);
          const expected = values.map((value) =>
            value === undefined ? null : (as as (value: unknown) => unknown)(value),
          );
          expect(
            rows.map(({ value }) => (type === 'jsonb' && typeof value === 'string' ? canonical(value) : value)),
          ).toEqual(expected);
        },
      ),
      { numRuns: 50 },
    );
  },
);

function hex(text: string): string {
  return Buffer.from(text, 'base64url').toString('hex');
}

/** jsonb has an order of keys of its own. */
function canonical(text: string): string {
  const fields = Object.entries(JSON.parse(text) as Record<string, string>);
  return JSON.stringify(fields.sort(([left], [right]) => (left < right ? -1 : 1)));
}
