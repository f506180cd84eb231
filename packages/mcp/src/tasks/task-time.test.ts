import { describe, expect, it } from '@jest/globals';

import type { TaskState } from './read-task.ts';
import { dayMs, spanOf, timesOf } from './task-time.ts';

const startedMs = Date.parse('2026-11-29T12:00:00.000Z');
const hourMs = 3_600_000;
const base: TaskState = {
  taskId: 'a',
  status: 'working',
  createdMs: startedMs,
  updatedMs: startedMs,
  ttlMs: undefined,
  response: undefined,
};

describe('the times of a task', () => {
  it.each([
    ['a minute', 60_000, 58_000, hourMs + 60_000],
    ['a second', 1_000, 900, hourMs + 1_000],
    ['no end', undefined, dayMs - 62_000, dayMs],
    ['a week', 7 * dayMs, dayMs - 62_000, dayMs],
    ['nothing', 0, 0, hourMs],
  ])('that lives for %s are within a day of its call', (_, ttlMs, lookAfterMs, heldForMs) => {
    expect(timesOf({ ...base, ttlMs }, startedMs)).toEqual({
      lookAtMs: startedMs + lookAfterMs,
      heldUntilMs: startedMs + heldForMs,
    });
  });

  it('are those of its server, whoever tells them, and never of the future or of a day before', () => {
    const state = { ...base, updatedMs: startedMs + 500 };
    for (const nowMs of [startedMs + 1_000, startedMs + hourMs])
      expect(spanOf(state, undefined, nowMs)).toEqual({ fromMs: startedMs, toMs: startedMs + 500 });
    expect(spanOf(state, undefined, startedMs - hourMs)).toMatchObject({ fromMs: startedMs - hourMs });
    const late = startedMs + 2 * dayMs;
    expect(spanOf(state, undefined, late)).toEqual({ fromMs: late - dayMs + 60_000, toMs: late });
    const untold = { ...base, createdMs: undefined, updatedMs: undefined };
    expect(spanOf(untold, startedMs, startedMs + 7)).toEqual({ fromMs: startedMs, toMs: startedMs + 7 });
    expect(spanOf(untold, undefined, late)).toEqual({ fromMs: late, toMs: late });
  });
});
