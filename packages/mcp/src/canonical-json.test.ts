import { expect, it } from '@jest/globals';

import { canonicalJson } from './canonical-json.ts';

it('is one text for values that differ in the order of names alone', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
  expect(canonicalJson({ a: 'x', b: [{ c: null, d: 1 }] })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
});

it('tells apart what differs', () => {
  const values = [undefined, {}, [], { a: [1, 2] }, { a: [2, 1] }, { a: '1' }, { a: 1 }, { a: { 0: 1 } }, { a: [1] }];
  expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
  expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
});
