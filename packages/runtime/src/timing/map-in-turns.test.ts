import { expect, it } from '@jest/globals';
import { mapInTurns } from './map-in-turns.ts';

it('maps all items in their order, and lets other work go on between some hundreds of them', async () => {
  const items = Array.from({ length: 1_001 }, (_, index) => index);
  const seenAt: number[] = [];
  let mapped = 0;
  const watch = (): void => {
    seenAt.push(mapped);
    if (mapped < items.length) setImmediate(watch);
  };
  setImmediate(watch);
  const results = await mapInTurns(items, (item, index) => {
    mapped += 1;
    return item === index ? item * 2 : -1;
  });
  expect(results).toEqual(items.map((item) => item * 2));
  expect(seenAt).toEqual(expect.arrayContaining([500, 1_000]));
});
