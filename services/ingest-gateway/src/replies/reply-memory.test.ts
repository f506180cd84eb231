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
  it('is bounded, and keeps the latest half of its bound', () => {
    const memory = createReplyMemory(100);
    for (let event = 0; event < 10_000; event += 1) {
      memory.put(`e${event}`, first);
      const latest = Array.from({ length: Math.min(event + 1, 50) }, (_, age) => memory.get(`e${event - age}`));
      expect(latest).not.toContain(undefined);
    }
    const kept = Array.from({ length: 10_000 }, (_, event) => memory.get(`e${event}`)).filter(
      (known) => known !== undefined,
    );
    expect(kept.length).toBeLessThanOrEqual(100);
  });

  it('keeps the first event of an id that has become old', () => {
    const memory = createReplyMemory(100);
    for (let event = 0; event < 60; event += 1) memory.put(`e${event}`, first);
    memory.put('e0', { ...first, bodyHash: 'another' });
    expect(memory.get('e0')).toEqual(first);
  });
});
