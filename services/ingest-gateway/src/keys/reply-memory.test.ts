import { describe, expect, it } from '@jest/globals';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import { repliesContract } from '../../test/support/reply-cache.contract.ts';
import { createReplyMemory } from './reply-memory.ts';

const first = { bodyHash: bodyHashOf({ tool_id: 'a', success: true }), occurredAt: '2026-11-21T12:00:00.000Z' };
const idOf = (event: number): string => `00000000-0000-8000-8000-${event.toString(16).padStart(12, '0')}`;

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
    for (let event = 0; event < 10_000; event += 1) memory.put(idOf(event), first);
    const kept = Array.from({ length: 10_000 }, (_, event) => memory.get(idOf(event))).filter(
      (known) => known !== undefined,
    );
    expect(kept.length).toBe(100);
    expect(memory.get(idOf(9_900))).toEqual(first);
  });
});
