import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import type { FirstEvent } from './judge-repeat.ts';
import { createLookUpReply } from './look-up-reply.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const first: FirstEvent = { bodyHash: 'h', occurredAt: 't' };

describe('createLookUpReply', () => {
  it('lets one question wait for a database that hangs, and no other until that one is answered', async () => {
    const asked: { eventIds: readonly string[]; answer: (found: Map<string, FirstEvent>) => void }[] = [];
    const lookUps = createLookUpReply({
      findFirstEvents: (eventIds) => new Promise((answer) => asked.push({ eventIds, answer })),
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
});
