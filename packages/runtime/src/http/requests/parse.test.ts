import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/kernel/app-error';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { toListPage } from '../lists/list-page.ts';
import { ignoredFieldsHeader } from './ignored-fields.ts';
import { parseBody, parseParams, parseQuery } from './parse.ts';

const schema = z.object({
  name: z.string().min(2).max(4),
  size: z.int().min(1).optional(),
  tags: z.array(z.string()).max(2).optional(),
  kind: z.enum(['a', 'b']).optional(),
  nested: z.strictObject({ 'x/y~z': z.boolean() }).optional(),
  slug: z
    .string()
    .refine((text) => text !== 'no', { error: 'must be another', params: { code: 'reserved' } })
    .optional(),
});

function refusalOf(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('parseBody', () => {
  it.each([
    ['a missing field', {}, { pointer: '/name', code: 'required' }],
    ['the wrong type', { name: 5 }, { pointer: '/name', code: 'invalid_type' }],
    ['null where one is required', { name: null }, { pointer: '/name', code: 'invalid_type' }],
    ['text too short', { name: 'a' }, { pointer: '/name', code: 'too_short' }],
    ['a number too small', { name: 'ab', size: 0 }, { pointer: '/size', code: 'too_small' }],
    ['an item', { name: 'ab', tags: ['a', 1] }, { pointer: '/tags/1', code: 'invalid_type' }],
    ['another word', { name: 'ab', kind: 'c' }, { pointer: '/kind', code: 'invalid_value' }],
    ['escaped pointers', { name: 'ab', nested: { 'x/y~z': 1 } }, { pointer: '/nested/x~1y~0z', code: 'invalid_type' }],
    [
      'a rule of its own',
      { name: 'ab', slug: 'no' },
      { pointer: '/slug', code: 'reserved', message: 'must be another' },
    ],
    ['no object at all', [], { pointer: '', code: 'invalid_type' }],
  ])('names %s', (_what, value, error) => {
    const refusal = refusalOf(() => parseBody(schema, value));
    expect(refusal).toMatchObject({ kind: 'invalid', code: 'invalid_request', errors: [error] });
    expect(refusal.message).toBe(
      `The body is not valid: ${error.pointer || 'the body'} ${refusal.errors?.[0]?.message}.`,
    );
  });

  it('names every problem at once, but no more than 50', () => {
    expect(refusalOf(() => parseBody(schema, { size: 0, kind: 1 })).errors?.map((error) => error.pointer)).toEqual([
      '/name',
      '/size',
      '/kind',
    ]);
    const many = z.object({ list: z.array(z.string()) });
    expect(refusalOf(() => parseBody(many, { list: Array(1_000).fill(1) })).errors).toHaveLength(50);
  });

  it('F73 ignores fields that it does not know, and names them', () => {
    const body: unknown = JSON.parse('{"name":"ab","role":"admin","__proto__":{"size":9},"constructor":1}');
    expect(parseBody(schema, body)).toEqual({
      value: { name: 'ab' },
      ignoredFields: ['role', '__proto__', 'constructor'],
    });
  });

  it('knows the fields under a transformation and of all branches', () => {
    expect(
      parseBody(
        schema.transform((value) => value.name),
        { name: 'ab', x: 1 },
      ),
    ).toEqual({ value: 'ab', ignoredFields: ['x'] });
    const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(parseBody(either, { b: '', c: '' }).ignoredFields).toEqual(['c']);
  });
});

describe('X-Ignored-Fields', () => {
  it('is percent-encoded, comma-separated, the first 20, and absent without names', () => {
    expect(ignoredFieldsHeader([])).toEqual({});
    expect(ignoredFieldsHeader(['a,b', 'ü', '\r\nx: y', '__proto__'])).toEqual({
      'x-ignored-fields': 'a%2Cb,%C3%BC,%0D%0Ax%3A%20y,__proto__',
    });
    const many = Array.from({ length: 30 }, (_, index) => `f${index}`);
    expect(ignoredFieldsHeader(many)['x-ignored-fields']?.split(',')).toEqual(many.slice(0, 20));
  });

  it('F76 stays a header that clients can read, however long the names are', () => {
    const header = ignoredFieldsHeader(Array(20).fill('💥'.repeat(10_000)))['x-ignored-fields'] ?? '';
    expect(header.length).toBeLessThan(16_384);
    expect(decodeURIComponent(header.split(',')[0] ?? '')).toBe('💥'.repeat(48));
  });
});

describe('parseQuery', () => {
  const query = z.object({ tool_id: z.string().optional(), limit: z.coerce.number().int().min(1).default(20) });

  it('reads text, defaults and what is not known', () => {
    expect(parseQuery(query, '/x?tool_id=a%20b+c&other=1')).toEqual({ tool_id: 'a b c', limit: 20 });
    expect(parseQuery(query, '/x')).toEqual({ limit: 20 });
    expect(parseQuery(query, '/x?limit=5&__proto__=1')).toEqual({ limit: 5 });
  });

  it.each([
    ['/x?limit=0', '/limit'],
    ['/x?limit=', '/limit'],
    ['/x?limit=a', '/limit'],
    ['/x?limit=1&limit=2', '/limit'],
    ['/x?tool_id=a%00b', '/tool_id'],
    ['/x?tool_id=%zz', undefined],
    ['/x?tool_id=%ed%a0%80', undefined],
    ['/x?%', undefined],
  ])('F82 refuses %s', (url, pointer) => {
    const refusal = refusalOf(() => parseQuery(query, url));
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.errors?.[0]?.pointer).toBe(pointer);
  });

  it('F82 brackets and dots are plain names', () => {
    expect(parseQuery(z.object({ 'a[b]': z.string(), 'c.d': z.string() }), '/x?a[b]=1&c.d=2')).toEqual({
      'a[b]': '1',
      'c.d': '2',
    });
  });
});

describe('parseParams', () => {
  it('404 for what cannot be an id', () => {
    const params = z.object({ id: z.uuid() });
    expect(refusalOf(() => parseParams(params, { id: 'x' }))).toMatchObject({ kind: 'not_found', code: 'not_found' });
  });
});

describe('cursors', () => {
  it('come back as they were', () => {
    const values = ['2026-11-21T00:00:00.000Z', '0191e7d2-0000-7000-8000-000000000000', 'ü/+'];
    expect(decodeCursor('tools', encodeCursor('tools', values))).toEqual(values);
    expect(decodeCursor('tools', encodeCursor('tools', [1, null]), z.tuple([z.number(), z.null()]))).toEqual([1, null]);
    expect(encodeCursor('tools', values)).toMatch(/^[\w-]+$/);
  });

  it('changed in any one character are 400', () => {
    const cursor = encodeCursor('tools', ['a', 'b']);
    for (let index = 0; index < cursor.length; index++) {
      const changed = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
      expect(refusalOf(() => decodeCursor('tools', changed))).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/cursor' }],
      });
    }
  });

  const given = encodeCursor('tools', ['a']);

  it.each(['', 'x', '!', 'bnVsbA', '\0', 'a'.repeat(100_000), given.slice(1), `${given}=`, `${given} `])(
    '%# that we never gave out are 400',
    (text) => expect(refusalOf(() => decodeCursor('tools', text)).code).toBe('invalid_request'),
  );

  it('of another list are 400', () => {
    expect(refusalOf(() => decodeCursor('passes', given)).code).toBe('invalid_request');
    const { next_cursor: next } = toListPage('tools', {
      rows: ['a', 'b'],
      limit: 1,
      total: 2,
      cursorOf: (row) => [row],
      toApi: (row) => row,
    });
    expect(decodeCursor('tools', next ?? '')).toEqual(['a']);
    expect(refusalOf(() => decodeCursor('prices', next ?? '')).message).toContain('not one that this list gave out');
  });

  it('with other values than the list has are 400', () => {
    expect(refusalOf(() => decodeCursor('tools', encodeCursor('tools', ['a']), z.tuple([z.uuid()]))).code).toBe(
      'invalid_request',
    );
    expect(refusalOf(() => decodeCursor('tools', encodeCursor('tools', [1]))).code).toBe('invalid_request');
  });
});
