import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isMetadata, metadataProblems, metadataSchema } from './metadata.ts';

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
const codes = (value: unknown) => metadataProblems(value).map(({ code }) => code);

describe('metadata', () => {
  it.each<[string, unknown]>([
    ['nothing in it', {}],
    ['ten keys', keys(10)],
    ['a key of 64 code points', { ['😀'.repeat(64)]: 1 }],
    ['a value of 256 code points (1,024 bytes)', { emoji: '😀'.repeat(256) }],
    ['an empty value', { empty: '' }],
    ['the largest number', { big: Number.MAX_SAFE_INTEGER, small: Number.MIN_SAFE_INTEGER }],
    ['fractions, −0, booleans', { a: 0.1, b: -0, c: true, d: 1e-300 }],
    ['names of object members', JSON.parse('{"constructor":"a","toString":1,"hasOwnProperty":true,"__proto__":"b"}')],
    ['right-to-left text', { name: 'שלום \u202e evil' }],
  ])('may have %s', (_, value) => {
    expect(metadataProblems(value)).toEqual([]);
    expect(metadataSchema.parse(value)).toBe(value);
  });

  it.each<[string, unknown, string]>([
    ['eleven keys', keys(11), 'too_many_keys'],
    ['an empty key', { '': 1 }, 'too_short'],
    ['a key of 65 code points', { ['x'.repeat(65)]: 1 }, 'too_long'],
    ['a value of 257 code points', { a: '😀'.repeat(257) }, 'too_long'],
    ['NUL in a value', { a: 'x\0' }, 'invalid_characters'],
    ['NUL in a key', { 'x\0': 1 }, 'invalid_characters'],
    ['a lone surrogate', { a: '\ud83d' }, 'invalid_characters'],
    ['2⁵³', { a: 2 ** 53 }, 'number_out_of_range'],
    ['−2⁵³', { a: -(2 ** 53) }, 'number_out_of_range'],
    ['2⁵³ + 1 as JSON has it', JSON.parse('{"a":9007199254740993}'), 'number_out_of_range'],
    ['1e400 as JSON has it', JSON.parse('{"a":1e400}'), 'number_out_of_range'],
    ['null', { a: null }, 'invalid_type'],
    ['an array', { a: [1] }, 'invalid_type'],
    ['an object', { a: { b: 1 } }, 'invalid_type'],
    ['an object under __proto__', JSON.parse('{"__proto__":{"polluted":1}}'), 'invalid_type'],
  ])('may not have %s', (_, value, code) => {
    expect(codes(value)).toEqual([code]);
  });

  it('refuses NaN, which JSON cannot write', () => {
    expect(isMetadata({ a: Number.NaN })).toBe(false);
  });

  it.each([[null], [[]], ['text'], [1], [true], [undefined]])('is an object, not %j', (value) => {
    expect(codes(value)).toEqual(['invalid_type']);
  });

  it('names each key at fault', () => {
    const parsed = metadataSchema.safeParse({ good: 1, 'a/b': null, c: 'x'.repeat(300) });
    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([['a/b'], ['c']]);
  });

  it('never throws and never touches a prototype', () => {
    const anything = fc.anything({ withNullPrototype: true, withSparseArray: true, withBigInt: true, withDate: true });
    fc.assert(
      fc.property(anything, (value) => {
        expect(metadataSchema.safeParse(value).success).toBe(isMetadata(value));
      }),
    );
    metadataSchema.safeParse(JSON.parse('{"__proto__":"x","a":1}'));
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });
});
