import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import type { FirstEvent } from './judge-repeat.ts';
import { createLookUps } from './look-ups.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const first: FirstEvent = { bodyHash: 'h', occurredAt: 't' };

describe('createLookUps', () => {
  it('lets one question wait for a database that hangs, and no other until that one is answered', async () => {
    const asked: { eventIds: readonly string[]; answer: (found: Map<string, FirstEvent>) => void }[] = [];
    const lookUps = createLookUps({
      findFirstEvents: (eventIds) => new Promise((answer) => asked.push({ eventIds, answer })),
      clock: systemClock,
      log,
      timeoutMs: 20,
    });
    const ask = (eventId: string) =>
      new Promise<FirstEvent | undefined>((onAnswer) => lookUps.add({ eventId, onAnswer }));

    expect(await ask('a')).toBeUndefined(); // after 20 ms
    expect([await ask('b'), await ask('c')]).toEqual([undefined, undefined]); // at once
    expect(asked.map(({ eventIds }) => eventIds)).toEqual([['a']]);
    asked[0]?.answer(new Map());
    await new Promise(setImmediate);
    const last = ask('d');
    await new Promise(setImmediate);
    asked[1]?.answer(new Map([['d', first]]));
    expect(await last).toEqual(first);
  });

  it('comes first for 5 s after an append that was not made, a repeat or a failure', async () => {
    const answers: (() => Promise<ReadonlyMap<string, FirstEvent>>)[] = [
      () => Promise.resolve(new Map([['a', first]])),
      () => Promise.reject(new Error('the database is away')),
      () => Promise.resolve(new Map()),
    ];
    const findFirstEvents = () => answers.shift()?.() ?? Promise.reject(new Error('asked too often'));
    const monotonic = { nowMs: 1_000 };
    let startedMs = 0;
    const clock = { ...systemClock, monotonicMs: () => monotonic.nowMs };
    const lookUps = createLookUps({ findFirstEvents, clock, log, timeoutMs: 1_000 });
    const ask = (eventId: string) =>
      new Promise<FirstEvent | undefined>((onAnswer) => lookUps.add({ eventId, onAnswer }));
    const isFirstFor5Seconds = (): boolean[] =>
      [0, 4_999, 5_000].map((elapsedMs) => {
        monotonic.nowMs = startedMs + elapsedMs;
        return lookUps.mustLookUpFirst();
      });
    const seen = [lookUps.mustLookUpFirst()];
    for (const work of [async () => lookUps.lookUpFirst(), () => ask('a'), () => ask('b'), () => ask('c')]) {
      startedMs = monotonic.nowMs;
      await work();
      seen.push(...isFirstFor5Seconds());
    }
    const afterwards = [true, true, false];
    expect(seen).toEqual([false, ...afterwards, ...afterwards, ...afterwards, false, false, false]);
  });
});
