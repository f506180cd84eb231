import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createEventId, keyedEventId } from '@tollgate/kernel/event-id';
import {
  bodyHashOf,
  decodeUsageEvent,
  encodeUsageEvent,
  partitionKeyOf,
  usageEventOf,
  type UsageEventRecord,
} from './event-record.ts';
import { parseEvent } from './parse-event.ts';

const consumerId = '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b';
const receivedAt = '2026-11-21T12:00:00.000Z';

const plain: UsageEventRecord = {
  v: 1,
  event_id: createEventId(new Date(receivedAt).getTime()),
  consumer_id: consumerId,
  tool_id: 'search',
  occurred_at: receivedAt,
  received_at: receivedAt,
  success: true,
};
const keyed: UsageEventRecord = {
  ...plain,
  event_id: keyedEventId('', { accountId: consumerId, key: 'order-1' }),
  idempotency_key: 'order-1',
  body_hash: bodyHashOf(plain),
};

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const deepVersion = new TextEncoder().encode(`{"v":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
const decode = (value: unknown) => decodeUsageEvent(bytesOf(value));
const codeOf = (value: unknown) => {
  const decoded = decode(value);
  return decoded.ok ? 'ok' : decoded.code;
};

describe('decodeUsageEvent (F25)', () => {
  it('reads what the gateway writes', () => {
    const metadata = { tokens: 3, model: 'small', cached: true };
    const full = { ...keyed, duration_ms: 12, metadata, pass_id: consumerId };
    for (const record of [plain, keyed, full]) expect(decode(record)).toEqual({ ok: true, record });
  });

  it('keeps __proto__ in metadata as a plain key', () => {
    const text = JSON.stringify(plain).replace('}', ',"metadata":{"__proto__":"x"}}');
    const decoded = decodeUsageEvent(new TextEncoder().encode(text));
    expect(decoded.ok && Object.keys(decoded.record.metadata ?? {})).toEqual(['__proto__']);
  });

  it.each<[string, Partial<Record<keyof UsageEventRecord, unknown>>]>([
    ['an upper-case id', { event_id: plain.event_id.toUpperCase() }],
    ['no consumer', { consumer_id: undefined }],
    ['a pass that is no id', { pass_id: 'all' }],
    ['null for the pass', { pass_id: null }],
    ['a tool that is no slug', { tool_id: 'Search!' }],
    ['NUL in the tool', { tool_id: 'a\0' }],
    ['a time without milliseconds', { occurred_at: '2026-11-21T12:00:00Z' }],
    ['a day that does not exist', { occurred_at: '2026-02-30T12:00:00.000Z' }],
    ['a time after its receipt', { occurred_at: '2026-11-21T12:00:00.001Z' }],
    ['a time 24 h and 1 ms before its receipt', { occurred_at: '2026-11-20T11:59:59.999Z' }],
    ['a time as a number', { received_at: 1_795_262_400_000 }],
    ['success as text', { success: 'true' }],
    ['null for success', { success: null }],
    ['a duration of 2⁶³ − 1', { duration_ms: 2 ** 63 }],
    ['a negative duration', { duration_ms: -1 }],
    ['nested metadata', { metadata: { a: {} } }],
    ['eleven keys', { metadata: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, 1])) }],
    ['a key without a body hash', { idempotency_key: 'a' }],
    ['a body hash without a key', { body_hash: bodyHashOf(plain) }],
    ['a random id with a key', { idempotency_key: 'a', body_hash: bodyHashOf(plain) }],
    ['a hashed id without a key', { event_id: keyed.event_id }],
    ['a body hash of 15 bytes', { ...keyed, body_hash: 'AAAAAAAAAAAAAAAAAAAA' }],
    ['a body hash with loose bits', { ...keyed, body_hash: 'AAAAAAAAAAAAAAAAAAAAAB' }],
    ['a key of 256', { ...keyed, idempotency_key: 'x'.repeat(256) }],
  ])('refuses %s', (_, fields) => {
    expect(codeOf({ ...plain, ...fields })).toBe('record_invalid');
  });

  it('takes a time exactly 24 h before its receipt', () => {
    expect(codeOf({ ...plain, occurred_at: '2026-11-20T12:00:00.000Z' })).toBe('ok');
  });

  it('parks versions that it does not know', () => {
    expect(codeOf({ ...plain, v: 2 })).toBe('record_version_unknown');
    expect(codeOf({})).toBe('record_version_unknown');
    expect(codeOf([])).toBe('record_version_unknown');
  });

  it.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(), 'record_not_json'],
    ['broken UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'record_not_json'],
    ['a NUL', Uint8Array.of(0), 'record_not_json'],
    ['a byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, ...bytesOf(plain)), 'record_not_json'],
    ['gzip', Uint8Array.of(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0), 'record_not_json'],
    ['a megabyte', bytesOf({ ...plain, filler: 'x'.repeat(1_000_000) }), 'record_too_large'],
    ['null', bytesOf(null), 'record_invalid'],
    ['10⁵ brackets', new TextEncoder().encode('['.repeat(100_000)), 'record_not_json'],
    ['10⁵ brackets in its version', deepVersion, 'record_version_unknown'],
  ])('says why %s is no event', (_, bytes, code) => {
    const decoded = decodeUsageEvent(bytes);
    expect(decoded).toMatchObject({ ok: false, code });
    expect(decoded).toMatchObject({ reason: expect.not.stringContaining('\u0000') }); // PostgreSQL refuses it in a text
  });

  it('never throws, whatever the bytes', () => {
    const anyJson = fc.json().map((text) => new TextEncoder().encode(text));
    fc.assert(fc.property(fc.oneof(fc.uint8Array(), anyJson), (bytes) => !decodeUsageEvent(bytes).ok));
  });

  it('never throws on a record with anything in one of its fields', () => {
    const fields = fc.constantFrom(...Object.keys({ ...keyed, duration_ms: 1, metadata: {} }));
    fc.assert(
      fc.property(fc.constantFrom(plain, keyed), fields, fc.jsonValue(), (record, name, value) => {
        const { ok, ...rest } = decode({ ...record, [name]: value });
        expect(Object.keys(rest)).toEqual(ok ? ['record'] : ['code', 'reason']);
      }),
    );
  });

  it('never throws on a record cut or flipped anywhere', () => {
    const bytes = bytesOf(keyed);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, flip) => {
        expect(decodeUsageEvent(bytes.subarray(0, place)).ok).toBe(false);
        const flipped = bytes.with(place, (bytes[place] ?? 0) ^ flip);
        expect(typeof decodeUsageEvent(flipped).ok).toBe('boolean');
      }),
    );
  });
});

describe('bodyHashOf', () => {
  const metadata = fc.dictionary(
    fc.string({ minLength: 1 }),
    fc.oneof(fc.string(), fc.boolean(), fc.double({ noNaN: true, min: -1e9, max: 1e9 })),
  );

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(metadata, fc.infiniteStream(fc.nat()), (pairs, order) => {
        const shuffled = Object.fromEntries(
          Object.entries(pairs)
            .map((entry) => ({ entry, at: order.next().value as number }))
            .sort((left, right) => left.at - right.at)
            .map(({ entry }) => entry),
        );
        const body = { tool_id: 'a', success: true };
        expect(bodyHashOf({ ...body, metadata: shuffled })).toBe(bodyHashOf({ ...body, metadata: pairs }));
      }),
    );
  });

  it.each<[string, string, string]>([
    ['defaults applied', '{"tool_id":"a"}', '{"tool_id":"a","success":true}'],
    ['null is absent', '{"tool_id":"a"}', '{"tool_id":"a","duration_ms":null,"success":null,"metadata":null}'],
    ['{} is absent', '{"tool_id":"a"}', '{"tool_id":"a","metadata":{}}'],
    ['1.0 is 1', '{"tool_id":"a","duration_ms":1}', '{"tool_id":"a","duration_ms":1.0}'],
    ['1.0 is 1 in metadata', '{"tool_id":"a","metadata":{"n":1}}', '{"tool_id":"a","metadata":{"n":1.0}}'],
    ['1e2 is 100', '{"tool_id":"a","metadata":{"n":100}}', '{"tool_id":"a","metadata":{"n":1e2}}'],
    ['−0 is 0', '{"tool_id":"a","metadata":{"n":0}}', '{"tool_id":"a","metadata":{"n":-0}}'],
    ['−0 is 0 in duration', '{"tool_id":"a","duration_ms":0}', '{"tool_id":"a","duration_ms":-0}'],
    ['the timestamp is left out', '{"tool_id":"a"}', '{"tool_id":"a","timestamp":"2026-11-21T12:00:00Z"}'],
    ['escapes are what they stand for', '{"tool_id":"a"}', '{"tool_id":"\\u0061"}'],
  ])('is the same: %s', (_, left, right) => {
    expect(hashOfJson(right)).toBe(hashOfJson(left));
  });

  it.each<[string, string, string]>([
    ['another tool', '{"tool_id":"a"}', '{"tool_id":"b"}'],
    ['failure', '{"tool_id":"a"}', '{"tool_id":"a","success":false}'],
    ['a duration of 0', '{"tool_id":"a"}', '{"tool_id":"a","duration_ms":0}'],
    ['"1" for 1', '{"tool_id":"a","metadata":{"n":1}}', '{"tool_id":"a","metadata":{"n":"1"}}'],
    ['true for 1', '{"tool_id":"a","metadata":{"n":1}}', '{"tool_id":"a","metadata":{"n":true}}'],
    ['NFC for NFD', '{"tool_id":"a","metadata":{"n":"\\u00e9"}}', '{"tool_id":"a","metadata":{"n":"e\\u0301"}}'],
    ['__proto__', '{"tool_id":"a"}', '{"tool_id":"a","metadata":{"__proto__":"x"}}'],
    ['borders between key and value', '{"tool_id":"a","metadata":{"ab":"c"}}', '{"tool_id":"a","metadata":{"a":"bc"}}'],
  ])('differs: %s', (_, left, right) => {
    expect(hashOfJson(right)).not.toBe(hashOfJson(left));
  });

  it('stays what it is for ever: it lies beside each key in the database', () => {
    expect(hashOfJson('{"tool_id":"search","duration_ms":120,"metadata":{"tokens":12,"model":"small"}}')).toBe(
      'SVuRyzE0p1r_aQYQOy_VFQ',
    );
    expect(bodyHashOf({ tool_id: 'a', success: true })).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });
});

describe('the text of a body hash', () => {
  it('is that of the first 16 bytes of the SHA-256', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (toolId, duration) => {
        const canonical = JSON.stringify([toolId, true, duration, []]);
        const bytes = createHash('sha256').update(canonical).digest().subarray(0, 16);
        const event = { tool_id: toolId, success: true, duration_ms: duration };
        expect(bodyHashOf(event)).toBe(bytes.toString('base64url'));
      }),
    );
  });
});

describe('usageEventOf', () => {
  it('is the record that was encoded, with what was decoded and without', () => {
    const { value, decoded } = encodeUsageEvent(keyed);
    expect(usageEventOf({ value, decoded })).toEqual({ ok: true, record: keyed });
    expect(usageEventOf({ value })).toEqual({ ok: true, record: keyed });
  });
});

describe('partitionKeyOf', () => {
  it('is consumer and tool', () => {
    expect(partitionKeyOf(plain)).toBe(`${consumerId}:search`);
  });
});

function hashOfJson(text: string): string {
  const parsed = parseEvent(JSON.parse(text));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return bodyHashOf(parsed.event);
}
