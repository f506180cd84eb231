import { describe, expect, it } from '@jest/globals';
import { readCalls } from './calls.ts';
import { lastTime, planBatches } from './plan-batches.ts';

const calls = readCalls(5);
const batches = planBatches(calls);
const keysOf = (some: readonly { readonly idempotencyKey: string }[]) =>
  some.map(({ idempotencyKey }) => idempotencyKey);

describe('readCalls', () => {
  it('has the rows of both files in the order of time, the row at i with consumer i mod 5', () => {
    expect(calls).toHaveLength(8_819 + 19_366);
    const times = calls.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted());
    expect(calls[0]).toEqual({
      consumer: 0,
      toolId: 'conversation',
      idempotencyKey: 'conv-0',
      timestamp: '2023-11-16T18:15:46.6805900Z',
      contextTokens: 374,
      generatedTokens: 44,
    });
    expect(calls.every(({ idempotencyKey, consumer }) => Number(idempotencyKey.slice(5)) % 5 === consumer)).toBe(true);
  });
});

describe('planBatches', () => {
  it('sends every call once, in the order of time, in batches of at most 500', () => {
    expect(Math.max(...batches.map((batch) => batch.repeats.length + batch.calls.length))).toBeLessThanOrEqual(500);
    for (const consumer of [0, 1, 2, 3, 4]) {
      const own = batches.filter((batch) => batch.consumer === consumer);
      expect(keysOf(own.flatMap((batch) => batch.calls))).toEqual(
        keysOf(calls.filter((call) => call.consumer === consumer)),
      );
    }
  });

  it('orders batches by the time of their last call', () => {
    const times = batches.filter((batch) => batch.calls.length > 0).map(lastTime);
    expect(times).toEqual(times.toSorted());
  });

  it('repeats 5 % of the calls, each in the next batch of its consumer', () => {
    for (const consumer of [0, 1, 2, 3, 4]) {
      const own = batches.filter((batch) => batch.consumer === consumer);
      for (const [at, batch] of own.entries()) {
        expect(keysOf(own[at - 1]?.calls ?? [])).toEqual(expect.arrayContaining(keysOf(batch.repeats)));
      }
    }
    const repeats = keysOf(batches.flatMap((batch) => batch.repeats));
    expect(new Set(repeats).size).toBe(repeats.length);
    expect(repeats.length / calls.length).toBeCloseTo(0.05, 3);
  });
});
