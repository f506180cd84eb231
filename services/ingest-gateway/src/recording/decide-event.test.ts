import { describe, expect, it } from '@jest/globals';
import { decodeUsageEvent, encodeUsageEvent } from '@tollgate/contracts/events/event-record';
import type { EventInput } from '@tollgate/contracts/events/events';
import { toIso } from '@tollgate/kernel/clock';
import { keyedEventId, type EventKey } from '@tollgate/kernel/event-id';
import fc from 'fast-check';
import { createSubmission } from '../submissions/create-submission.ts';
import { decideEvent } from './decide-event.ts';
import type { PriceSpan, Tool } from '../tools/tool.ts';

const receivedAtMs = Date.UTC(2026, 10, 21, 12, 30);
const consumerId = '00000000-0000-4000-8000-000000000001';
const noon = Date.UTC(2026, 10, 21, 12);
const free: Pick<PriceSpan, 'priceId' | 'price'> = {
  priceId: 'free',
  price: { currency: 'usd', charges: [], bill_failed_calls: false },
};
const tool: Tool = {
  toolId: 'summing',
  ownerId: '00000000-0000-4000-8000-000000000002',
  isArchived: false,
  resource: null,
  defaultMax: null,
  prices: [
    { startMs: Number.NEGATIVE_INFINITY, endMs: noon, measures: ['pages'], ...free },
    { startMs: noon, endMs: Number.POSITIVE_INFINITY, measures: ['tokens'], ...free },
  ],
};

const eventIds = { of: (key: EventKey) => keyedEventId('secret', key) };

function decide(event: Partial<EventInput>, of: Tool | undefined = tool) {
  const receipt = { consumerId, receivedAtMs, expiresAtMs: 0, eventIds };
  const decision = decideEvent(createSubmission({ tool_id: 'summing', success: true, ...event }, receipt), of);
  return decision.kind === 'append' ? decision.record : decision.error.code;
}

describe('decideEvent', () => {
  it.each([
    ['the future', receivedAtMs + 1, receivedAtMs],
    ['now', receivedAtMs, receivedAtMs],
    ['exactly 24 h ago', receivedAtMs - 86_400_000, receivedAtMs - 86_400_000],
  ])('F04 records an event of %s', (_, timestamp, occurredAtMs) => {
    expect(decide({ timestamp })).toMatchObject({ occurred_at: toIso(occurredAtMs) });
  });

  it('F04 refuses 24 h and 1 ms', () => {
    expect(decide({ timestamp: receivedAtMs - 86_400_001 })).toBe('event_expired');
  });

  it('judges measures by the price that is in force at the time of the event', () => {
    const metadata = { pages: 'many', tokens: 5 };
    expect(decide({ timestamp: noon - 1, metadata })).toBe('invalid_request');
    expect(decide({ timestamp: noon, metadata })).toMatchObject({ metadata });
    expect(decide({ timestamp: noon, metadata: { tokens: 'x' } })).toBe('invalid_request');
  });

  it('checks in the order of the interface: tool, then measures, then age', () => {
    const wrong = { timestamp: receivedAtMs - 86_400_001, metadata: { pages: -1 } };
    expect(decide(wrong, { ...tool, isArchived: true })).toBe('tool_not_found');
    expect(decide(wrong)).toBe('invalid_request');
    expect(decide({ ...wrong, metadata: { pages: 1 } })).toBe('event_expired');
  });

  it.each([
    ['web-search', undefined, 'There is no tool `web-search`.'],
    ['web-search', { ...tool, isArchived: true }, 'The tool `web-search` is archived.'],
    ['\u001b[31m', undefined, 'The tool_id is not the slug of a tool.'],
  ])('names the tool %j that it refuses, and repeats no other text', (toolId, known, message) => {
    const receipt = { consumerId, receivedAtMs, expiresAtMs: 0, eventIds };
    const decision = decideEvent(createSubmission({ tool_id: toolId, success: true }, receipt), known);
    expect(decision).toMatchObject({ kind: 'reject', error: { code: 'tool_not_found', message } });
  });

  it('only ever makes records that read the same after the log as before', () => {
    const key = fc.option(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }).filter((text) => !text.includes('\0')),
      { nil: undefined },
    );
    const values = fc.oneof(
      fc.string({ maxLength: 50 }).filter((text) => !text.includes('\0')),
      fc.boolean(),
      fc.maxSafeInteger(),
      // −0 is 0 in JSON, and metadata is only ever written as JSON.
      fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e9, min: -1e9 }).map((number) => number + 0),
    );
    const metadata = fc.dictionary(fc.stringMatching(/^[a-z_]{1,20}$/), values, { maxKeys: 10 });
    const timestamp = fc.option(fc.integer({ min: receivedAtMs - 86_400_000, max: receivedAtMs + 1e9 }), {
      nil: undefined,
    });
    const duration = fc.option(fc.integer({ min: 0, max: 86_400_000 }), { nil: undefined });
    fc.assert(
      fc.property(key, metadata, timestamp, duration, (idempotency_key, data, at, duration_ms) => {
        const record = decide({ idempotency_key, metadata: data, timestamp: at, duration_ms }, { ...tool, prices: [] });
        if (typeof record === 'string') throw new Error(record); // the code of a refusal
        expect(decodeUsageEvent(encodeUsageEvent(record).value)).toEqual({ ok: true, record });
      }),
    );
  });
});
