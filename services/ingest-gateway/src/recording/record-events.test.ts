import { describe, expect, it } from '@jest/globals';
import { keyedEventId } from '@tollgate/kernel/event-id';
import type { Outcome } from '../submissions/outcome.ts';
import type { Attempt } from '../submissions/attempt.ts';
import { createHeld } from './held.ts';
import { createRecordEvents, outcomesOf } from './record-events.ts';

const event = { tool_id: 'a', success: true };
const recorded: Outcome = { kind: 'recorded', eventId: 'e', occurredAt: 't' };

function setUp({ appendDeadlineMs = 5_000 } = {}) {
  const time = { nowMs: 0, movedMs: 1_000_000 };
  const attempts: Attempt[] = [];
  const held = { events: 0, bytes: 0 };
  const onChange = (events: number, bytes: number) => void Object.assign(held, { events, bytes });
  const recordEvents = createRecordEvents({
    appendDeadlineMs,
    claim: (attempt) => void attempts.push(attempt),
    held: createHeld({ eventsMax: 10, bytesMax: 1_000, onChange }),
    eventIds: { of: (key) => keyedEventId('secret', key) },
    clock: { now: () => time.movedMs, monotonicMs: () => time.nowMs },
  });
  const record = (count: number, bytes = 1) =>
    outcomesOf(recordEvents, { consumerId: 'c', events: Array.from({ length: count }, () => event), bytes });
  return { time, attempts, held, record };
}

describe('createRecordEvents', () => {
  it('F16 never tells a success after the deadline, even when the append succeeded (a frozen process wakes up)', async () => {
    const { time, attempts, record } = setUp();
    const inTime = record(1);
    time.nowMs = 4_999.9;
    attempts[0]?.settle(recorded);
    const late = record(1);
    time.nowMs += 5_000;
    attempts[1]?.settle(recorded);
    expect((await inTime).map(({ kind }) => kind)).toEqual(['recorded']);
    expect((await late).map(({ kind }) => kind)).toEqual(['unknown']);
  });

  it('F49 never tells a success after the clock was moved past the deadline: the watermark has followed it', async () => {
    const { time, attempts, record } = setUp();
    const outcomes = record(2);
    time.movedMs += 4_999;
    attempts[0]?.settle(recorded);
    time.movedMs += 1;
    attempts[1]?.settle(recorded);
    expect((await outcomes).map(({ kind }) => kind)).toEqual(['recorded', 'unknown']);
  });

  it('answers by the deadline without any outcome, and still counts what it holds', async () => {
    const { attempts, held, record } = setUp({ appendDeadlineMs: 20 });
    const outcomes = record(2, 7);
    attempts[0]?.settle(recorded);
    expect((await outcomes).map(({ kind }) => kind)).toEqual(['recorded', 'unknown']);
    expect(held).toEqual({ events: 2, bytes: 7 });
    attempts[1]?.settle(recorded);
    expect(held).toEqual({ events: 0, bytes: 0 });
  });

  it('refuses what is more than it may hold, by number and by bytes, at once and whole', async () => {
    const { attempts, record } = setUp();
    void record(9);
    expect((await record(2)).map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
    expect((await record(1, 1_000)).map(({ kind }) => kind)).toEqual(['unknown']);
    expect(attempts).toHaveLength(9);
    for (const attempt of attempts) attempt.settle(recorded);
    const again = record(1, 1_000);
    attempts.at(-1)?.settle(recorded);
    expect((await again).map(({ kind }) => kind)).toEqual(['recorded']);
  });

  it('answers a request without events', async () => {
    expect(await setUp().record(0)).toEqual([]);
  });
});
