import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import type { FirstEvent } from '../../src/keys/judge-repeat.ts';

export interface RepliesHarness {
  /** Resolves when `get` finds it. */
  put(eventId: string, first: FirstEvent): Promise<void>;
  get(eventId: string): Promise<FirstEvent | undefined>;
  close(): Promise<void>;
}

const hashOf = (name: string): string => bodyHashOf({ tool_id: name, success: true });

/** The guarantees of every place that keeps first answers. */
export function repliesContract(name: string, open: () => Promise<RepliesHarness>): void {
  describe(`first answers: ${name}`, () => {
    let replies: RepliesHarness;
    const first = { bodyHash: hashOf('first'), occurredAt: '2026-11-21T12:00:00.000Z' };
    beforeAll(async () => {
      replies = await open();
    });
    afterAll(() => replies.close());

    it('returns the first reply of an id unchanged, and nothing for another id', async () => {
      const eventId = randomUUID();
      await replies.put(eventId, first);
      await replies.put(eventId, { ...first, bodyHash: hashOf('another') });
      expect(await replies.get(eventId)).toEqual(first);
      expect(await replies.get(randomUUID())).toBeUndefined();
    });

    it('answers each of many simultaneous questions with its own reply', async () => {
      const eventIds = Array.from({ length: 1_200 }, () => randomUUID());
      await Promise.all(eventIds.map((eventId) => replies.put(eventId, { ...first, bodyHash: hashOf(eventId) })));
      const got = await Promise.all(eventIds.map((eventId) => replies.get(eventId)));
      expect(got.map((reply) => reply?.bodyHash)).toEqual(eventIds.map(hashOf));
    });
  });
}
