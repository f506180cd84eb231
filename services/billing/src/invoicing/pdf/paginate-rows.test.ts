import { describe, expect, it } from '@jest/globals';
import { paginateRows } from './paginate-rows.ts';

const space = { firstSpace: 30, nextSpace: 50, endHeight: 20 };

describe('rows on pages', () => {
  it.each<[string, number[], [number, number][]]>([
    ['one page where all fits', [10], [[0, 1]]],
    [
      'the last row with what follows it',
      [10, 10, 10],
      [
        [0, 2],
        [2, 3],
      ],
    ],
    [
      'as many as there is space for',
      [10, 10, 10, 10, 10, 10, 10],
      [
        [0, 3],
        [3, 6],
        [6, 7],
      ],
    ],
    [
      'a row higher than a page alone',
      [90, 10],
      [
        [0, 1],
        [1, 2],
      ],
    ],
  ])('%s', (_, heights, expected) => {
    expect(paginateRows({ heights, ...space }).map(({ start, end }) => [start, end])).toEqual(expected);
  });

  it('has every row once, in order', () => {
    const heights = Array.from({ length: 500 }, (_, index) => 5 + (index % 7));
    const pages = paginateRows({ heights, ...space });
    expect(pages.flatMap(({ start, end }) => heights.slice(start, end))).toEqual(heights);
    expect(pages.every(({ start, end }) => end > start)).toBe(true);
  });
});
