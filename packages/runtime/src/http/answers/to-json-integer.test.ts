import { describe, expect, it } from '@jest/globals';
import { toJsonInteger } from './to-json-integer.ts';

describe('integers in answers', () => {
  it.each([0n, -1n, 86_400_000n, 9_007_199_254_740_991n, 9_007_199_254_740_993n, 170_141_183_460_469_231_731n])(
    'are written digit by digit: %s',
    (value) => {
      expect(JSON.stringify({ value: toJsonInteger(value) })).toBe(`{"value":${value}}`);
    },
  );
});
