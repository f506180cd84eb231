import { expect, it } from '@jest/globals';
import { createRecentMap } from './recent-map.ts';

it('keeps the values that were used last', () => {
  const map = createRecentMap<number>(2);
  map.get('a', () => 1);
  map.get('b', () => 2);
  expect(map.get('a', () => 3)).toBe(1);
  map.get('c', () => 4);
  expect(['a', 'b', 'c'].map(map.has)).toEqual([true, false, true]);
});
