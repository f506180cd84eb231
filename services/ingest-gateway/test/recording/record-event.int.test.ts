import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import { dayMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { rawExchange } from '@tollgate/testkit/raw-http';
import { isReplay, startGateway, type TestAccount } from '../support/gateway-under-test.ts';
import { keyedIdOf } from '../support/put-counted-event.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
let consumer: TestAccount;
let toolId: string;

beforeAll(async () => {
  consumer = await gateway.newAccount();
  toolId = await gateway.newTool();
});

async function recordOf(eventId: string) {
  return (await gateway.appended()).find((record) => record.event_id === eventId);
}

async function appendedCount(): Promise<number> {
  return (await gateway.appended()).length;
}

/** Sends bytes that no HTTP client would send. */
function sendRaw(headers: readonly string[], body: string) {
  const head = ['POST /v1/events HTTP/1.1', 'Host: a', `Authorization: Bearer ${consumer.token}`];
  const lines = [...head, 'Content-Type: application/json', ...headers, 'Connection: close', '', body];
  return rawExchange(gateway.port, lines.join('\r\n'));
}

describe('POST /v1/events 201', () => {
  it('answers once the event is in the log, with defaults applied', async () => {
    const { status, body } = await gateway.record({ tool_id: toolId }, consumer);
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

  it('F79 keeps every field of the request, byte for byte', async () => {
    const metadata = JSON.parse(
      '{"__proto__": "plain", "é": "e\\u0301", "n": 0.30000000000000004, "rtl": "אב", "😀": true}',
    ) as object;
    const key = "'; DROP TABLE usage.event; --";
    const event = { tool_id: toolId, duration_ms: 12, success: false, metadata, idempotency_key: key };
    const { status, body } = await gateway.record(event, consumer);
    const eventId = await keyedIdOf(gateway.owner, { accountId: consumer.accountId, key });
    expect([status, body.event_id]).toEqual([201, eventId]);
    const record = await recordOf(body.event_id);
    expect(record).toMatchObject({ duration_ms: 12, success: false, idempotency_key: key });
    expect(JSON.stringify(record?.metadata)).toBe(JSON.stringify(metadata));
    expect(record?.body_hash).toMatch(/^[\w-]{22}$/);
  });

  it('accepts a tool the moment it is registered, and an account the moment it has a key', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { status } = await gateway.record({ tool_id: await gateway.newTool() });
      expect(status).toBe(201);
    }
  });

  it('takes a body in chunks, whose length is not known before its end', async () => {
    const body = JSON.stringify({ tool_id: toolId });
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    expect((await sendRaw(['Transfer-Encoding: chunked'], chunks)).status).toBe(201);
  });

  it('F73 ignores unknown fields and names them: an account cannot record for another', async () => {
    const unknown = { account_id: 'x', consumer_id: consumer.accountId, 'a,b': 1, price: 0 };
    const { status, headers, body } = await gateway.record({ tool_id: toolId, ...unknown }, consumer);
    expect([status, headers.get('x-ignored-fields')]).toEqual([201, 'account_id,consumer_id,a%2Cb,price']);
    expect((await recordOf(body.event_id))?.consumer_id).toBe(consumer.accountId);
  });
});

describe('POST /v1/events 400 consumer_not_accepted', () => {
  it.each(['consumer_id', 'consumerId'])('F73 refuses an event that names another account as %s', async (field) => {
    const other = await gateway.newAccount();
    const before = await appendedCount();
    const { status, body } = await gateway.record({ tool_id: toolId, [field]: other.accountId }, consumer);
    expect([status, body.code]).toEqual([400, 'consumer_not_accepted']);
    expect(body).toMatchObject({ detail: expect.stringContaining('/v1/passes'), errors: [{ pointer: `/${field}` }] });
    expect(await appendedCount()).toBe(before);
  });

  it('takes null for absence', async () => {
    expect((await gateway.record({ tool_id: toolId, consumer_id: null }, consumer)).status).toBe(201);
  });
});

describe('POST /v1/events 201, as a repeat', () => {
  it('gives the first answer again, with the header, and appends nothing', async () => {
    const { token } = await gateway.newAccount();
    const first = { tool_id: toolId, idempotency_key: 'again-1', metadata: { b: 1, a: 2 } };
    const one = await gateway.record(first, { token });
    const before = await appendedCount();
    const same = { ...first, success: true, metadata: { a: 2, b: 1 }, timestamp: toIso(gateway.clock.now() - 5) };
    const two = await gateway.record(same, { token });
    expect([one.status, isReplay(one)]).toEqual([201, false]);
    expect([two.status, isReplay(two), two.body]).toEqual([201, true, one.body]);
    expect(await appendedCount()).toBe(before);
  });

  it('F05 also when the event has aged, or its tool is archived since', async () => {
    const tool = await gateway.newTool();
    const { token } = await gateway.newAccount();
    const event = { tool_id: tool, idempotency_key: 'aged', timestamp: toIso(gateway.clock.now() - dayMs) };
    const one = await gateway.record(event, { token });
    await gateway.archive(tool);
    gateway.clock.advance(90_000_000);
    const two = await gateway.record(event, { token });
    expect([two.status, isReplay(two), two.body]).toEqual([201, true, one.body]);
  });

  it('F05 from the key table, long after memory has forgotten; another body is 409', async () => {
    const { token, accountId } = await gateway.newAccount();
    const eventId = await keyedIdOf(gateway.owner, { accountId, key: 'old' });
    const hash = Buffer.from(bodyHashOf({ tool_id: 'long-gone', success: true }), 'base64url');
    const timestamp = '2025-01-02T03:04:05.006Z';
    const values = [eventId, accountId, hash, timestamp];
    await gateway.owner.query('insert into usage.event_key values ($1, $2, $3, $4)', values);
    const again = await gateway.record({ tool_id: 'long-gone', idempotency_key: 'old' }, { token });
    expect([again.status, isReplay(again)]).toEqual([201, true]);
    expect(again.body).toEqual({ event_id: eventId, tool_id: 'long-gone', status: 'recorded', timestamp });
    const other = await gateway.record({ tool_id: toolId, idempotency_key: 'old' }, { token });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('at the same moment waits for the first: one record, one answer', async () => {
    const { token } = await gateway.newAccount();
    const body = { tool_id: toolId, idempotency_key: 'at-once' };
    const before = await appendedCount();
    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.record(body, { token })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await appendedCount()).toBe(before + 1);
  });

  it('is recognised after a restart, before the first is counted', async () => {
    const { token } = await gateway.newAccount();
    const body = { tool_id: toolId, idempotency_key: 'restart' };
    const one = await gateway.record(body, { token });
    const second = await startGateway({ beside: gateway });
    const two = await second.record(body, { token });
    await second.stop();
    expect([two.status, isReplay(two), two.body]).toEqual([201, true, one.body]);
  });
});

const recordWith = (headers: Record<string, string>, body: object) => gateway.record(body, { ...consumer, headers });

describe('POST /v1/events with an Idempotency-Key header', () => {
  it('takes it as the key of the event where the body has none, so a repeat is one call', async () => {
    const headers = { 'idempotency-key': `header ${randomUUID()}` };
    const before = await appendedCount();
    const first = await recordWith(headers, { tool_id: toolId, duration_ms: 5 });
    const again = await recordWith(headers, { tool_id: toolId, duration_ms: 5, idempotency_key: null });
    const inBody = await recordWith(headers, {
      tool_id: toolId,
      duration_ms: 5,
      idempotency_key: headers['idempotency-key'],
    });
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
    for (const repeat of [again, inBody]) {
      expect([repeat.body, repeat.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    }
    expect(await appendedCount()).toBe(before + 1);
    expect((await recordOf(first.body.event_id))?.idempotency_key).toBe(headers['idempotency-key']);
  });

  it('answers another body under the same header with 409', async () => {
    const headers = { 'idempotency-key': `header ${randomUUID()}` };
    await recordWith(headers, { tool_id: toolId });
    const { status, body } = await recordWith(headers, { tool_id: toolId, duration_ms: 1 });
    expect([status, body.code]).toEqual([409, 'idempotency_conflict']);
  });
});

describe('POST /v1/events 400', () => {
  it.each<[string, object | string, string]>([
    ['no tool_id', {}, '/tool_id'],
    ['a duration of a day and a millisecond (F43, F80)', { tool_id: 'a', duration_ms: 86_400_001 }, '/duration_ms'],
    ['an integer beyond 2⁵³ − 1 (F80)', { tool_id: 'a', metadata: { a: 2 ** 53 } }, '/metadata/a'],
    ['half a body', '{"tool_id":', ''],
    ['a list', '[]', ''],
    ['1e400 (F80)', '{"tool_id":"a","metadata":{"n":1e400}}', '/metadata/n'],
    ['a lone surrogate in an ignored field (F79)', '{"tool_id":"a","other":["\\udfff"]}', '/other/0'],
    ['60,000 brackets (F78)', '['.repeat(60_000), ''],
    ['a camelCase twin of a field', { tool_id: 'a', idempotencyKey: 'k' }, '/idempotencyKey'],
  ])('refuses %s', async (_, wrong, pointer) => {
    const { status, body } = await gateway.record(wrong);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it('refuses a measure that cannot be summed, by its pointer', async () => {
    const summing = await gateway.newTool({ measures: ['in/out~'] });
    expect((await gateway.record({ tool_id: summing, metadata: { 'in/out~': '0.100000', a: 'text' } })).status).toBe(
      201,
    );
    const { status, body } = await gateway.record({ tool_id: summing, metadata: { 'in/out~': '1e3' } });
    expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([400, 'invalid_request', '/metadata/in~1out~0']);
  });

  it('refuses query parameters, which events do not have', async () => {
    const { status, body } = await gateway.send('POST', '/v1/events?tool_id=a', {
      ...consumer,
      body: { tool_id: toolId },
    });
    expect([status, body]).toMatchObject([400, { errors: [{ pointer: '/tool_id' }] }]);
  });

  it('refuses an Idempotency-Key header that differs from the key of the body, or is none', async () => {
    const before = await appendedCount();
    const send = (key: string) =>
      recordWith({ 'idempotency-key': key }, { tool_id: toolId, idempotency_key: 'in the body' });
    for (const key of ['in the header', '', 'ü']) {
      const { status, body } = await send(key);
      expect([key, status, body.errors?.[0]?.pointer]).toEqual([key, 400, '/Idempotency-Key']);
    }
    expect(await appendedCount()).toBe(before);
  });

  it.each([
    ['two Content-Type headers', 'Content-Type: text/plain'],
    ['two Authorization headers', 'Authorization: Bearer other'],
    ['a length and chunks', 'Transfer-Encoding: chunked'],
  ])('F81 refuses %s, and records nothing', async (_what, header) => {
    const before = await appendedCount();
    const body = JSON.stringify({ tool_id: toolId });
    const { status } = await sendRaw([`Content-Length: ${body.length}`, header], body);
    expect([status, await appendedCount()]).toEqual([400, before]);
  });
});

describe('POST /v1/events 401', () => {
  it.each([{}, { token: 'nonsense' }, { token: 'tg_live_0123456789' }])(
    'refuses the credential of %p before anything else',
    async (credential) => {
      const wrong = { rawBody: '{', headers: { 'content-type': 'text/plain' } };
      const { status, headers } = await gateway.send('POST', '/v1/events', { ...credential, ...wrong });
      expect([status, headers.get('x-ratelimit-limit')]).toEqual([401, null]);
    },
  );
});

describe('POST /v1/events 404', () => {
  it.each(['unknown-tool', 'Not A Slug', 'x'.repeat(5_000)])('knows no tool %p', async (unknown) => {
    const { status, body } = await gateway.record({ tool_id: unknown });
    expect([status, body.code]).toEqual([404, 'tool_not_found']);
  });

  it('knows no archived tool, within a second', async () => {
    const tool = await gateway.newTool();
    expect((await gateway.record({ tool_id: tool })).status).toBe(201);
    await gateway.archive(tool);
    await eventually(async () => (await gateway.record({ tool_id: tool })).status === 404, { withinMs: 1_000 });
  });
});

describe('POST /v1/events 409', () => {
  it('F06 refuses another body under the same key, and appends nothing', async () => {
    const { token } = await gateway.newAccount();
    const body = { tool_id: toolId, idempotency_key: 'one-key', metadata: { n: 1 } };
    const one = await gateway.record(body, { token });
    const before = await appendedCount();
    const changes = [
      { metadata: { n: 2 } },
      { metadata: {} },
      { success: false },
      { duration_ms: 0 },
      { tool_id: 'b' },
    ];
    for (const change of changes) {
      const two = await gateway.record({ ...body, ...change }, { token });
      expect([two.status, two.body.code]).toEqual([409, 'idempotency_conflict']);
    }
    expect((await gateway.record(body, { token })).body).toEqual(one.body);
    expect(await appendedCount()).toBe(before);
  });
});

describe('POST /v1/events 413', () => {
  it.each([
    [65_536, 201],
    [65_537, 413],
  ])('F02 answers a body of %i bytes with %i', async (size, expected) => {
    const frame = JSON.stringify({ tool_id: toolId, padding: '' });
    const { status } = await gateway.record(frame.replace('""', `"${'x'.repeat(size - frame.length)}"`));
    expect(status).toBe(expected);
  });
});

describe('POST /v1/events 415', () => {
  it('refuses another media type before it looks at the body, and counts the request for the limit', async () => {
    const { status, body, headers } = await gateway.record('{', { headers: { 'content-type': 'text/plain' } });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    expect(headers.get('x-ratelimit-remaining')).toBe('99');
  });
});

describe('POST /v1/events 422', () => {
  it('F04 refuses an event that is 24 h and 1 ms old, and records one of 24 h', async () => {
    const of = (ageMs: number) => ({ tool_id: toolId, timestamp: toIso(gateway.clock.now() - ageMs) });
    const { status, body } = await gateway.record(of(dayMs + 1));
    expect([status, body.code]).toEqual([422, 'event_expired']);
    expect((await gateway.record(of(dayMs))).body.timestamp).toBe(of(dayMs).timestamp);
  });
});
