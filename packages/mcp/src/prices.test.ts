import { expect, it } from '@jest/globals';

import { createPriceTools, priceMeta, type PriceTools } from './prices.ts';

const list = { tools: [{ name: 'weather' }, { name: 'free' }] };

function open(readPrice: (slug: string) => Promise<unknown>) {
  const clock = { nowMs: 0 };
  const errors: unknown[] = [];
  const priceTools = createPriceTools({
    tool: (name) => (name === 'weather' ? 'slug' : undefined),
    readPrice,
    keepMs: 60_000,
    waitMs: 20,
    nowMs: () => clock.nowMs,
    onError: (error) => errors.push(error),
  });
  return { clock, errors, priceTools };
}

async function pricesOf(priceTools: PriceTools): Promise<unknown[]> {
  const { tools } = await priceTools(list);
  return (tools as { _meta?: Record<string, unknown> }[]).map(({ _meta }) => _meta?.[priceMeta]);
}

it('asks for a price once, and again when it may have changed', async () => {
  let asked = 0;
  const { clock, priceTools } = open(async () => (asked += 1));
  expect(await pricesOf(priceTools)).toEqual([1, undefined]);
  expect(await pricesOf(priceTools)).toEqual([1, undefined]);
  clock.nowMs = 60_000;
  expect(await pricesOf(priceTools)).toEqual([2, undefined]);
});

it('F259 lists at once while Tollgate hangs, with the price that was read last, and asks it one question', async () => {
  let asked = 0;
  const late = Promise.withResolvers<unknown>();
  const { clock, priceTools } = open(() => ((asked += 1) === 1 ? Promise.resolve('old') : late.promise));
  await pricesOf(priceTools);
  clock.nowMs = 60_000;
  expect(await pricesOf(priceTools)).toEqual(['old', undefined]); // it waited for 20 ms
  clock.nowMs = 600_000;
  expect(await pricesOf(priceTools)).toEqual(['old', undefined]);
  expect(asked).toBe(2);
  late.resolve('new');
  await late.promise;
  expect(await pricesOf(priceTools)).toEqual(['new', undefined]);
});

it('leaves out a price that cannot be read, and asks again soon', async () => {
  let asked = 0;
  const { clock, errors, priceTools } = open(async () => {
    asked += 1;
    if (asked === 1) throw new Error('away');
    return 'price';
  });
  expect(await pricesOf(priceTools)).toEqual([undefined, undefined]);
  expect(await pricesOf(priceTools)).toEqual([undefined, undefined]);
  expect(errors).toHaveLength(1);
  clock.nowMs = 20;
  expect(await pricesOf(priceTools)).toEqual(['price', undefined]);
});
