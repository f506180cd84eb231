import { describe, expect, it } from '@jest/globals';
import { repliesContract } from '../../test/support/reply-cache.contract.ts';
import { createReplyMemory } from './reply-memory.ts';

const first = { bodyHash: 'h', occurredAt: '2026-11-21T12:00:00.000Z' };

repliesContract('memory', async () => {
  const memory = createReplyMemory(10_000);
  return {
    put: async (eventId, reply) => memory.put(eventId, reply),
    get: async (eventId) => memory.get(eventId),
    close: async () => undefined,
  };
});

describe('the reply memory', () => {
  it('is bounded, and keeps the youngest', () => {
    const memory = createReplyMemory(100);
    for (let event = 0; event < 10_000; event += 1) memory.put(`e${event}`, first);
    const kept = Array.from({ length: 10_000 }, (_, event) => memory.get(`e${event}`)).filter(
      (known) => known !== undefined,
    );
    expect(kept.length).toBe(100);
    expect(memory.get('e9900')).toEqual(first);
  });
});
