import { describe, expect, it } from '@jest/globals';
import { wholeSlice, type TimeSlice } from './time-slice.ts';
import { createWalk, type ListPage } from './walk.ts';

const letters = ['a', 'b', 'c', 'd', 'e'];
const listed =
  (items: readonly string[]): ListPage<string> =>
  async ({ after = '', limit }) =>
    items.filter((item) => item > after).slice(0, limit);

/** Time for so many items. */
function sliceFor(items: number) {
  let [left, isRestLeft] = [items, false];
  const slice: TimeSlice = { hasTime: () => (left -= 1) > 0, leaveRest: () => void (isRestLeft = true) };
  return { slice, isRestLeft: () => isRestLeft };
}

async function walked(walk: ReturnType<typeof createWalk<string>>, slice: TimeSlice, items = letters) {
  let seen = '';
  for await (const item of walk(slice, listed(items))) seen += item;
  return seen;
}

describe('a walk', () => {
  it.each([1, 2, 5, 6])('with pages of %d visits each item once, from the start each time', async (pageMax) => {
    const walk = createWalk<string>(pageMax);
    expect([await walked(walk, wholeSlice), await walked(walk, wholeSlice)]).toEqual(['abcde', 'abcde']);
  });

  it('goes on behind the item where its time ended, and leaves a rest until it has seen all', async () => {
    const walk = createWalk<string>(2);
    const slices = [3, 9, 9].map(sliceFor);
    const seen: string[] = [];
    for (const { slice } of slices) seen.push(await walked(walk, slice));
    expect(seen).toEqual(['abc', 'de', 'abcde']);
    expect(slices.map(({ isRestLeft }) => isRestLeft())).toEqual([true, false, false]);
  });

  it('visits one item even without any time', async () => {
    const walk = createWalk<string>(2);
    const seen: string[] = [];
    for (let walks = 0; walks < 3; walks += 1) seen.push(await walked(walk, sliceFor(0).slice));
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('goes on where its caller has stopped it, with the item that it had', async () => {
    const walk = createWalk<string>(5);
    for await (const item of walk(wholeSlice, listed(letters))) if (item === 'c') break;
    expect(await walked(walk, wholeSlice)).toBe('cde');
  });

  it('goes on although the item where it ended is gone', async () => {
    const walk = createWalk<string>(5);
    await walked(walk, sliceFor(2).slice);
    expect(await walked(walk, wholeSlice, ['a', 'c', 'd'])).toBe('cd');
  });
});
