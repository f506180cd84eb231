import { expect, it } from '@jest/globals';
import { toEvent, type ToolCall } from './to-event.ts';

const clock = { now: () => Date.parse('2026-11-21T10:00:00.123Z'), monotonicMs: () => 0 };

it('gives an event its time and its key', () => {
  const { json, idempotencyKey } = toEvent({ tool: 'search', duration_ms: 12.6, metadata: { tokens: 3 } }, clock);
  expect(idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(json)).toEqual({
    tool_id: 'search',
    duration_ms: 13,
    metadata: { tokens: 3 },
    timestamp: '2026-11-21T10:00:00.123Z',
    idempotency_key: idempotencyKey,
  });
});

it('keeps a time and a key that the caller gives', () => {
  const call: ToolCall = { tool: 'search', success: false, timestamp: new Date(0), idempotencyKey: 'mine' };
  expect(JSON.parse(toEvent(call, clock).json)).toEqual({
    tool_id: 'search',
    success: false,
    timestamp: '1970-01-01T00:00:00.000Z',
    idempotency_key: 'mine',
  });
});

it('has no duration where null is given for it, as programs without types do', () => {
  const call = { tool: 'search', duration_ms: null as unknown as undefined };
  expect(JSON.parse(toEvent(call, clock).json)).toMatchObject({ duration_ms: null });
});

it.each([
  [{ tool: '' }, '`tool` must be the slug of a tool'],
  [{ tool: 'search', duration_ms: -1 }, '`duration_ms` must be a finite number of 0 or more'],
  [{ tool: 'search', duration_ms: Number.NaN }, '`duration_ms` must be a finite number of 0 or more'],
  [{ tool: 'search', duration_ms: Infinity }, '`duration_ms` must be a finite number of 0 or more'],
  [{ tool: 'search', duration_ms: '5' as unknown as number }, '`duration_ms` must be a finite number of 0 or more'],
  [{ tool: 'search', metadata: { tokens: -Infinity } }, 'a number in `metadata` must be finite'],
  [{ tool: 'search', timestamp: new Date(Number.NaN) }, '`timestamp` must be a valid time'],
  [{ tool: 'search', idempotencyKey: '' }, '`idempotencyKey` must not be empty'],
  [{ tool: 'search', metadata: { text: 'ü'.repeat(33_000) } }, 'an event has at most 65536 bytes'],
])('refuses %j', (call, message) => {
  expect(() => toEvent(call, clock)).toThrow(message);
});
