import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyHashOf } from '@tollgate/contracts/event-record';
import { toIso } from '@tollgate/kernel/clock';
import { keyedEventId } from '@tollgate/kernel/event-id';
import { eventually } from '@tollgate/testkit/eventually';
import { startGateway, type GatewayUnderTest, type TestAccount } from '../support/gateway-under-test.ts';

let gateway: GatewayUnderTest;
let consumer: TestAccount;
let toolId: string;

beforeAll(async () => {
  gateway = await startGateway();
  consumer = await gateway.newAccount();
  toolId = await gateway.newTool();
});
afterAll(() => gateway.stop());

interface Answer {
  event_id: string;
  tool_id: string;
  status: string;
  timestamp: string;
  code: string;
  errors?: { pointer: string; code: string }[];
}

/** Of an account that has its whole allowance. */
async function post(body: object, headers: Record<string, string> = {}) {
  const { token } = await gateway.newAccount();
  return gateway.send<Answer>('POST', '/v1/events', { token, body, headers });
}

function recordOf(eventId: string) {
  return gateway.appended().then((records) => records.find((record) => record.event_id === eventId));
}

describe('POST /v1/events 201', () => {
  it('answers once the event is in the log, with defaults applied', async () => {
    const { status, body } = await gateway.send<Answer>('POST', '/v1/events', {
      token: consumer.token,
      body: { tool_id: toolId },
    });
    const now = toIso(gateway.clock.now());
    expect(status).toBe(201);
    expect(body).toEqual({ event_id: expect.any(String), tool_id: toolId, status: 'recorded', timestamp: now });
    expect(await recordOf(body.event_id)).toEqual({
      v: 1,
      event_id: body.event_id,
      consumer_id: consumer.accountId,
      tool_id: toolId,
      occurred_at: now,
      received_at: now,
      success: true,
    });
  });

  it('keeps everything that was sent, byte for byte', async () => {
    const metadata = JSON.parse(
      '{"__proto__": "plain", "é": "e\\u0301", "n": 0.30000000000000004, "rtl": "אב", "😀": true}',
    ) as object;
    const event = {
      tool_id: toolId,
      duration_ms: 12,
      success: false,
      metadata,
      idempotency_key: "'; DROP TABLE usage.event; --",
    };
    const { status, body } = await gateway.send<Answer>('POST', '/v1/events', { token: consumer.token, body: event });
    expect(status).toBe(201);
    expect(body.event_id).toBe(keyedEventId(consumer.accountId, event.idempotency_key));
    const record = await recordOf(body.event_id);
    expect(record).toMatchObject({ duration_ms: 12, success: false, idempotency_key: event.idempotency_key });
    expect(JSON.stringify(record?.metadata)).toBe(JSON.stringify(metadata));
    expect(record?.body_hash).toMatch(/^[\w-]{22}$/);
  });

  it('takes a tool the moment it is registered, and an account the moment it has a key', async () => {
    for (let round = 0; round < 20; round += 1) {
      const fresh = await gateway.newTool();
      const { status } = await post({ tool_id: fresh });
      expect(status).toBe(201);
    }
  });

  it('ignores what it does not know and names it: nobody records for another account (F73)', async () => {
    const { status, headers, body } = await gateway.send<Answer>('POST', '/v1/events', {
      token: consumer.token,
      body: { tool_id: toolId, account_id: 'x', consumer_id: 'y', 'a,b': 1, price: 0 },
    });
    expect(status).toBe(201);
    expect(headers.get('x-ignored-fields')).toBe('account_id,consumer_id,a%2Cb,price');
    expect((await recordOf(body.event_id))?.consumer_id).toBe(consumer.accountId);
  });

  it('takes null for an optional field as its absence, and 12.0 as 12', async () => {
    const rawBody = `{"tool_id":"${toolId}","duration_ms":12.0,"metadata":null,"success":null,"timestamp":null,"idempotency_key":null}`;
    const { token } = await gateway.newAccount();
    const headers = { 'content-type': 'application/json; charset=UTF-8' };
    const { status, body } = await gateway.send<Answer>('POST', '/v1/events', { token, rawBody, headers });
    expect(status).toBe(201);
    expect(await recordOf(body.event_id)).toMatchObject({ duration_ms: 12, success: true });
  });

  it('F04 takes the future for now, and exactly 24 h ago as it is', async () => {
    const now = gateway.clock.now();
    const cases = [
      [toIso(now + 1), toIso(now)],
      ['9999-12-31T23:59:59Z', toIso(now)],
      [toIso(now - 86_400_000), toIso(now - 86_400_000)],
      [toIso(now - 86_400_000).replace('Z', '999+00:00'), toIso(now - 86_400_000)],
      ['2026-11-21T14:34:56.788+02:00', toIso(now - 1)],
    ] as const;
    for (const [timestamp, recorded] of cases) {
      const { status, body } = await post({ tool_id: toolId, timestamp });
      expect([status, body.timestamp]).toEqual([201, recorded]);
    }
  });

  it('sums only numbers: takes every spelling of one', async () => {
    const summing = await gateway.newTool({ measures: ['tokens'] });
    for (const tokens of [0, 12.5, '0.100000', '999999999999.999999', 1e3]) {
      const { status } = await post({ tool_id: summing, metadata: { tokens, note: 'free text' } });
      expect([tokens, status]).toEqual([tokens, 201]);
    }
    expect((await post({ tool_id: summing })).status).toBe(201);
  });

  it('echoes a harmless X-Request-Id and replaces any other', async () => {
    const { headers } = await post({ tool_id: toolId }, { 'x-request-id': 'my-call.1' });
    expect(headers.get('x-request-id')).toBe('my-call.1');
    const other = await post({ tool_id: toolId }, { 'x-request-id': 'my call' });
    expect(other.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('POST /v1/events 201, again', () => {
  it('answers the first answer again, with the header, and appends nothing', async () => {
    const first = { tool_id: toolId, idempotency_key: 'again-1', metadata: { b: 1, a: 2 } };
    const { token } = await gateway.newAccount();
    const one = await gateway.send<Answer>('POST', '/v1/events', { token, body: first });
    const before = (await gateway.appended()).length;
    const same = { ...first, success: true, metadata: { a: 2, b: 1 }, timestamp: toIso(gateway.clock.now() - 5) };
    const two = await gateway.send<Answer>('POST', '/v1/events', { token, body: same });
    expect([one.status, one.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect([two.status, two.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(two.body).toEqual(one.body);
    expect((await gateway.appended()).length).toBe(before);
  });

  it('F05 also when the event has aged or its tool is archived since', async () => {
    const tool = await gateway.newTool();
    const { token } = await gateway.newAccount();
    const timestamp = toIso(gateway.clock.now() - 86_400_000);
    const event = { tool_id: tool, idempotency_key: 'aged', timestamp };
    const one = await gateway.send<Answer>('POST', '/v1/events', { token, body: event });
    await gateway.archive(tool);
    gateway.clock.advance(90_000_000);
    const two = await gateway.send<Answer>('POST', '/v1/events', { token, body: event });
    expect([two.status, two.headers.get('idempotent-replayed'), two.body]).toEqual([201, 'true', one.body]);
  });

  it('F05 from the key table, long after memory has forgotten', async () => {
    const { token, accountId } = await gateway.newAccount();
    const eventId = keyedEventId(accountId, 'old');
    const hash = Buffer.from(bodyHashOf({ tool_id: 'long-gone', success: true }), 'base64url');
    const occurredAt = '2025-01-02T03:04:05.006Z';
    await gateway.owner.query('insert into usage.event_key values ($1, $2, $3, $4)', [
      eventId,
      accountId,
      hash,
      occurredAt,
    ]);
    const again = await gateway.send<Answer>('POST', '/v1/events', {
      token,
      body: { tool_id: 'long-gone', idempotency_key: 'old' },
    });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual({ event_id: eventId, tool_id: 'long-gone', status: 'recorded', timestamp: occurredAt });
    const other = await gateway.send<Answer>('POST', '/v1/events', {
      token,
      body: { tool_id: toolId, idempotency_key: 'old' },
    });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('lets the same key at the same moment wait for the first: one record, one answer', async () => {
    const { token } = await gateway.newAccount();
    const body = { tool_id: toolId, idempotency_key: 'at-once' };
    const before = (await gateway.appended()).length;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => gateway.send<Answer>('POST', '/v1/events', { token, body })),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect((await gateway.appended()).length).toBe(before + 1);
  });

  it('remembers over a restart what nobody has counted yet', async () => {
    const { token } = await gateway.newAccount();
    const body = { tool_id: toolId, idempotency_key: 'restart' };
    const one = await gateway.send<Answer>('POST', '/v1/events', { token, body });
    const second = await startGateway({ beside: gateway });
    const two = await second.send<Answer>('POST', '/v1/events', { token, body });
    await second.stop();
    expect([two.status, two.headers.get('idempotent-replayed'), two.body]).toEqual([201, 'true', one.body]);
  });

  it('keeps the keys of two accounts apart', async () => {
    const body = { tool_id: toolId, idempotency_key: 'shared' };
    const answers = [await post(body), await post(body)];
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null]);
    expect(answers[0]?.body.event_id).not.toBe(answers[1]?.body.event_id);
  });
});

describe('POST /v1/events 400', () => {
  const values: [string, object, string][] = [
    ['no tool_id', {}, '/tool_id'],
    ['null tool_id', { tool_id: null }, '/tool_id'],
    ['tool_id of another type', { tool_id: 7 }, '/tool_id'],
    ['duration_ms −1 (F80)', { duration_ms: -1 }, '/duration_ms'],
    ['duration_ms as text', { duration_ms: '12' }, '/duration_ms'],
    ['duration_ms 1.5', { duration_ms: 1.5 }, '/duration_ms'],
    ['duration_ms over a day (F43)', { duration_ms: 86_400_001 }, '/duration_ms'],
    ['success as text', { success: 'true' }, '/success'],
    [
      'metadata with 11 keys',
      { metadata: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, n])) },
      '/metadata',
    ],
    ['a metadata value of 257 code points', { metadata: { a: '😀'.repeat(257) } }, '/metadata/a'],
    ['a nested metadata value', { metadata: { a: { b: 1 } } }, '/metadata/a'],
    ['a metadata integer beyond 2⁵³ − 1 (F80)', { metadata: { a: 2 ** 53 } }, '/metadata/a'],
    ['metadata as a list', { metadata: [] }, '/metadata'],
    ['a timestamp without zone', { timestamp: '2026-11-21T12:00:00' }, '/timestamp'],
    ['a timestamp as a number', { timestamp: 1_700_000_000 }, '/timestamp'],
    ['an empty key', { idempotency_key: '' }, '/idempotency_key'],
    ['a key of 256 characters', { idempotency_key: 'k'.repeat(256) }, '/idempotency_key'],
  ];

  it.each(values)('refuses %s', async (_, wrong, pointer) => {
    const { status, body } = await post(
      'tool_id' in wrong || pointer === '/tool_id' ? wrong : { tool_id: toolId, ...wrong },
    );
    expect([status, body.code, body.errors?.map((error) => error.pointer)]).toEqual([
      400,
      'invalid_request',
      [pointer],
    ]);
  });

  it.each([
    ['nothing', ''],
    ['half of it', '{"tool_id":'],
    ['no object', '"tool"'],
    ['a list', '[]'],
    ['null', 'null'],
    ['NaN (F80)', '{"tool_id":"a","metadata":{"n":NaN}}'],
    ['1e400 (F80)', '{"tool_id":"a","metadata":{"n":1e400}}'],
    ['NUL in a value (F79)', '{"tool_id":"a","metadata":{"n":"\\u0000"}}'],
    ['a lone surrogate in a key (F79)', '{"tool_id":"a","metadata":{"\\ud800":1}}'],
    ['a lone surrogate in an ignored field (F79)', '{"tool_id":"a","other":["\\udfff"]}'],
    ['10⁵ brackets (F78)', '['.repeat(60_000)],
  ])('refuses %s', async (_, rawBody) => {
    const { token } = await gateway.newAccount();
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await gateway.send<Answer>('POST', '/v1/events', { token, rawBody, headers });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it.each([-1, -0.5, 1e12, 0.000_000_1, '1e3', '12 ', '', 'NaN', true, '007'])(
    'refuses a measure of %p, by its pointer',
    async (value) => {
      const summing = await gateway.newTool({ measures: ['in/out~'] });
      const { status, body } = await post({ tool_id: summing, metadata: { 'in/out~': value } });
      expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([400, 'invalid_request', '/metadata/in~1out~0']);
    },
  );
});

describe('POST /v1/events 401', () => {
  it.each([undefined, 'nonsense', 'tg_live_0123456789'])(
    'refuses the credential %p before anything else',
    async (token) => {
      const { status, body, headers } = await gateway.send<Answer>('POST', '/v1/events', {
        ...(token === undefined ? {} : { token }),
        rawBody: '{',
        headers: { 'content-type': 'text/plain' },
      });
      expect([status, body.code, headers.get('x-ratelimit-limit')]).toEqual([401, 'unauthorized', null]);
    },
  );
});

describe('POST /v1/events 404', () => {
  it.each(['unknown-tool', 'Not A Slug', 'x'.repeat(5_000)])('knows no tool %p', async (unknown) => {
    const { status, body } = await post({ tool_id: unknown });
    expect([status, body.code]).toEqual([404, 'tool_not_found']);
  });

  it('knows no archived tool, within a second', async () => {
    const tool = await gateway.newTool();
    expect((await post({ tool_id: tool })).status).toBe(201);
    await gateway.archive(tool);
    await eventually(async () => (await post({ tool_id: tool })).status === 404, { withinMs: 1_000 });
  });

  it('says so before it looks at measures and age', async () => {
    const { status, body } = await post({ tool_id: 'unknown-tool', timestamp: '2001-01-01T00:00:00Z' });
    expect([status, body.code]).toEqual([404, 'tool_not_found']);
  });
});

describe('POST /v1/events 409', () => {
  it('refuses another body under the same key, and appends nothing (F06)', async () => {
    const { token } = await gateway.newAccount();
    const body = { tool_id: toolId, idempotency_key: 'one-key', metadata: { n: 1 } };
    const one = await gateway.send<Answer>('POST', '/v1/events', { token, body });
    const before = (await gateway.appended()).length;
    for (const other of [
      { metadata: { n: 2 } },
      { metadata: {} },
      { success: false },
      { duration_ms: 0 },
      { tool_id: 'another-tool' },
    ]) {
      const two = await gateway.send<Answer>('POST', '/v1/events', { token, body: { ...body, ...other } });
      expect([two.status, two.body.code]).toEqual([409, 'idempotency_conflict']);
    }
    const three = await gateway.send<Answer>('POST', '/v1/events', { token, body });
    expect(three.body).toEqual(one.body);
    expect((await gateway.appended()).length).toBe(before);
  });
});

describe('POST /v1/events 413', () => {
  it('F02 takes a body of 64 KiB and refuses one byte more', async () => {
    const { token } = await gateway.newAccount();
    const frame = JSON.stringify({ tool_id: toolId, padding: '' });
    for (const [size, expected] of [
      [65_536, 201],
      [65_537, 413],
    ] as const) {
      const rawBody = frame.replace('""', `"${'x'.repeat(size - frame.length)}"`);
      const { status } = await gateway.send('POST', '/v1/events', {
        token,
        rawBody,
        headers: { 'content-type': 'application/json' },
      });
      expect([size, status]).toEqual([size, expected]);
    }
  });
});

describe('POST /v1/events 415', () => {
  it.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ])('refuses %p before it looks at the body', async (headers) => {
    const { token } = await gateway.newAccount();
    const {
      status,
      body,
      headers: answered,
    } = await gateway.send<Answer>('POST', '/v1/events', { token, rawBody: '{', headers });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    expect(answered.get('x-ratelimit-remaining')).toBe('99');
  });
});

describe('POST /v1/events 422', () => {
  it('F04 refuses an event that is 24 h and 1 ms old', async () => {
    const { status, body } = await post({ tool_id: toolId, timestamp: toIso(gateway.clock.now() - 86_400_001) });
    expect([status, body.code]).toEqual([422, 'event_expired']);
  });
});
