import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventSchema } from './events.ts';
import { fieldErrorsOf } from '../forms/field-errors.ts';
import { parseEvent } from './parse-event.ts';

const parsed = (value: unknown) => {
  const result = parseEvent(value);
  return result.ok ? result.event : result.errors.map(({ pointer, code }) => [pointer, code]);
};

describe('an event', () => {
  it('needs a tool alone; success is true', () => {
    expect(parseEvent({ tool_id: 'search' })).toEqual({
      ok: true,
      event: { tool_id: 'search', success: true },
      ignoredFields: [],
    });
  });

  it('keeps every field that was sent', () => {
    const metadata = { model: 'small', tokens: 12, cached: false };
    const event = { tool_id: 'search', success: false, duration_ms: 12.0, metadata, idempotency_key: 'a key' };
    const timestamp = Date.parse('2026-11-21T12:00:00.123Z');
    expect(parsed({ ...event, timestamp: '2026-11-21T13:00:00.1234+01:00' })).toEqual({ ...event, timestamp });
  });

  it('takes null for an optional field as its absence', () => {
    const nulls = { duration_ms: null, success: null, metadata: null, timestamp: null, idempotency_key: null };
    expect(parsed({ tool_id: 'search', ...nulls })).toEqual({ tool_id: 'search', success: true });
  });

  it('leaves a metadata value that is null out, before it counts the keys', () => {
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`k${at}`, at]));
    const value = { tool_id: 'a', metadata: { ...ten, none: null, ['__proto__']: null } };
    expect(parsed(value)).toEqual({ tool_id: 'a', success: true, metadata: ten });
  });

  it('turns −0 into 0', () => {
    expect(parsed({ tool_id: 'a', duration_ms: -0 })).toEqual({ tool_id: 'a', success: true, duration_ms: 0 });
  });

  it('names the fields it ignores, and ignores what they try', () => {
    const value: unknown = JSON.parse('{"tool_id":"a","account_id":"x","__proto__":{"success":false},"toString":1}');
    expect(parseEvent(value)).toEqual({
      ok: true,
      event: { tool_id: 'a', success: true },
      ignoredFields: ['account_id', '__proto__', 'toString'],
    });
    expect(({} as Record<string, unknown>)['success']).toBeUndefined();
  });

  it('refuses camelCase twins of its fields, with the name that was meant', () => {
    const twins = { toolId: 'b', durationMs: 5, idempotencyKey: 'k' };
    expect(parseEvent({ tool_id: 'a', ...twins })).toEqual({
      ok: false,
      errors: [
        { pointer: '/toolId', code: 'unknown_field', message: 'is not known here; did you mean `tool_id`?' },
        { pointer: '/durationMs', code: 'unknown_field', message: 'is not known here; did you mean `duration_ms`?' },
        {
          pointer: '/idempotencyKey',
          code: 'unknown_field',
          message: 'is not known here; did you mean `idempotency_key`?',
        },
      ],
    });
    expect(parsed({ toolId: 'a' })).toEqual([
      ['/toolId', 'unknown_field'],
      ['/tool_id', 'required'],
    ]);
  });

  it('does not find its fields in a prototype', () => {
    expect(parsed(JSON.parse('{"__proto__":{"tool_id":"a"}}'))).toEqual([['/tool_id', 'required']]);
  });

  it('takes any text as a tool: whether it exists is another question', () => {
    expect(parsed({ tool_id: 'No Such Tool ✓' })).toMatchObject({ tool_id: 'No Such Tool ✓' });
  });
});

describe('an event is refused', () => {
  it.each<[string, unknown, string, string]>([
    ['without a tool', {}, '/tool_id', 'required'],
    ['with null for a tool', { tool_id: null }, '/tool_id', 'invalid_type'],
    ['with an empty tool', { tool_id: '' }, '/tool_id', 'too_short'],
    ['with a number for a tool', { tool_id: 1 }, '/tool_id', 'invalid_type'],
    ['with NUL in its tool', { tool_id: 'a\0' }, '/tool_id', 'invalid_characters'],
    ['with half a millisecond', { tool_id: 'a', duration_ms: 0.5 }, '/duration_ms', 'invalid_type'],
    ['with a negative duration', { tool_id: 'a', duration_ms: -1 }, '/duration_ms', 'too_small'],
    ['with more than a day', { tool_id: 'a', duration_ms: 86_400_001 }, '/duration_ms', 'too_big'],
    ['with 2⁵³ + 1 ms', JSON.parse('{"tool_id":"a","duration_ms":9007199254740993}'), '/duration_ms', 'too_big'],
    ['with a duration as text', { tool_id: 'a', duration_ms: '12' }, '/duration_ms', 'invalid_type'],
    ['with success as text', { tool_id: 'a', success: 'true' }, '/success', 'invalid_type'],
    ['with success 1', { tool_id: 'a', success: 1 }, '/success', 'invalid_type'],
    ['with a time that is none', { tool_id: 'a', timestamp: 'yesterday' }, '/timestamp', 'invalid_timestamp'],
    ['with a time as a number', { tool_id: 'a', timestamp: 1_795_262_400 }, '/timestamp', 'invalid_type'],
    ['with an empty key', { tool_id: 'a', idempotency_key: '' }, '/idempotency_key', 'too_short'],
    ['with a key of 256', { tool_id: 'a', idempotency_key: 'x'.repeat(256) }, '/idempotency_key', 'too_long'],
    ['with nested metadata', { tool_id: 'a', metadata: { 'a/b~c': {} } }, '/metadata/a~1b~0c', 'invalid_type'],
    ['with metadata that is a list', { tool_id: 'a', metadata: [] }, '/metadata', 'invalid_type'],
    ['as an array', [], '', 'invalid_type'],
    ['as text', 'event', '', 'invalid_type'],
    ['as null', null, '', 'invalid_type'],
  ])('%s', (_, value, pointer, code) => {
    expect(parsed(value)).toContainEqual([pointer, code]);
  });

  it('with every fault named at once', () => {
    const value = { duration_ms: -1, success: 'no', metadata: { a: {}, b: [] }, timestamp: '', idempotency_key: '' };
    expect(parsed(value)).toHaveLength(7);
  });
});

/** Mostly valid, so that a single field decides: its limits, one beyond them, or anything at all. */
const nearly = (...edges: unknown[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...edges) }, { weight: 1, arbitrary: fc.anything() });
const nearEvents = fc.record(
  {
    tool_id: nearly('a', 'web-search', 'No Slug', '', 'a\0', '\ud83d', null, 1),
    duration_ms: nearly(0, -0, 12, 86_400_000, 86_400_001, -1, 0.5, null, undefined, '12', Number.NaN),
    success: nearly(true, false, null, undefined, 1, 'true'),
    metadata: nearly(...[1, '😀'.repeat(256), '😀'.repeat(257), null, 2 ** 53].map((a) => ({ a })), {}, null, [], ''),
    timestamp: nearly('2026-11-21T12:00:00Z', '2026-11-21t12:00:00.1239-05:30', '2026-02-30T00:00:00Z', null, 0, ''),
    idempotency_key: nearly('k', 'k'.repeat(255), 'k'.repeat(256), '😀'.repeat(255), '😀'.repeat(256), '', null),
    other: fc.anything(),
  },
  { requiredKeys: ['tool_id'] },
);

describe('the fast parser', () => {
  it('agrees with the contract on any value: the same verdict, the same event, the same faults', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: nearEvents }, fc.anything()), (value) => {
        const fast = parseEvent(value);
        const contract = eventSchema.safeParse(value);
        const faults = contract.error && { errors: fieldErrorsOf(contract.error, value) };
        const verdict = fast.ok ? { ok: true, event: fast.event } : fast;
        expect(verdict).toEqual({ ok: contract.success, ...(faults ?? { event: contract.data }) });
      }),
      { numRuns: 3_000 },
    );
  });

  it('agrees with the contract on any JSON', () => {
    fc.assert(
      fc.property(
        fc.json(),
        (text) => parseEvent(JSON.parse(text)).ok === eventSchema.safeParse(JSON.parse(text)).success,
      ),
    );
  });

  it('never throws on deep values', () => {
    let deep: unknown = {};
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(parseEvent({ tool_id: 'a', metadata: { deep } }).ok).toBe(false);
    expect(parseEvent({ tool_id: deep }).ok).toBe(false);
    expect(parseEvent(deep).ok).toBe(false);
    expect(parseEvent({ tool_id: 'a', ignored: deep }).ok).toBe(true);
  });

  it('never throws on an object that bites', () => {
    const hostile = new Proxy(
      { tool_id: 'a' },
      { get: (target, key) => (key === 'tool_id' ? target.tool_id : undefined) },
    );
    expect(parseEvent(hostile).ok).toBe(true);
    expect(parseEvent(Object.create(null)).ok).toBe(false);
  });
});
