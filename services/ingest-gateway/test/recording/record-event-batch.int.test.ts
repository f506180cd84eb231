import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventBatchResult } from '@tollgate/contracts/event-answers';
import { toIso } from '@tollgate/kernel/clock';
import { startGateway, type GatewayUnderTest } from '../support/gateway-under-test.ts';

let gateway: GatewayUnderTest;
let token: string;
let accountId: string;
let toolId: string;

beforeAll(async () => {
  gateway = await startGateway();
  toolId = await gateway.newTool();
});
beforeEach(async () => {
  ({ token, accountId } = await gateway.newAccount());
});
afterAll(() => gateway.stop());

type Answer = EventBatchResult & { code: string };

function post(events: unknown, rest: object = {}) {
  return gateway.send<Answer>('POST', '/v1/events/batch', { token, body: { events, ...rest } });
}

async function appendedCount(): Promise<number> {
  return (await gateway.appended()).length;
}

describe('POST /v1/events/batch 200', () => {
  it('F03 records the good ones of a batch with a bad one, and says what was bad, by pointers into the item', async () => {
    const events: object[] = Array.from({ length: 100 }, () => ({ tool_id: toolId }));
    events[57] = { tool_id: toolId, metadata: { a: { b: 1 } } };
    const { status, body } = await post(events);
    expect([status, body.recorded, body.duplicates, body.rejected, body.unknown]).toEqual([200, 99, 0, 1, 0]);
    expect(body.results.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(body.results[57]).toEqual({
      index: 57,
      status: 'rejected',
      error: {
        status: 400,
        code: 'invalid_request',
        detail: expect.any(String),
        errors: [expect.objectContaining({ pointer: '/metadata/a' })],
      },
    });
    expect(body.results[0]).toEqual({
      index: 0,
      status: 'recorded',
      event_id: expect.any(String),
      timestamp: toIso(gateway.clock.now()),
    });
    const ids = (await gateway.appended())
      .filter((record) => record.consumer_id === accountId)
      .map((record) => record.event_id);
    const told = body.results.flatMap(({ event_id: id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids)).toEqual(new Set(told));
    expect(ids).toHaveLength(99);
  });

  it('F03 answers 200 when every item is bad, each with its own reason', async () => {
    const summing = await gateway.newTool({ measures: ['tokens'] });
    const { status, body } = await post([
      null,
      'text',
      [],
      {},
      { tool_id: 'unknown-tool' },
      { tool_id: summing, metadata: { tokens: 'many' } },
      { tool_id: toolId, timestamp: '2001-01-01T00:00:00Z' },
    ]);
    expect([status, body.rejected]).toEqual([200, 7]);
    expect(body.results.map(({ error }) => `${error?.status} ${error?.code}`)).toEqual([
      '400 invalid_request',
      '400 invalid_request',
      '400 invalid_request',
      '400 invalid_request',
      '404 tool_not_found',
      '400 invalid_request',
      '422 event_expired',
    ]);
  });

  it('F03 is safe to send again: the keyed ones are duplicates, of the first answer', async () => {
    const events = Array.from({ length: 10 }, (_, index) => ({ tool_id: toolId, idempotency_key: `k${index}` }));
    const one = await post(events);
    const before = await appendedCount();
    const two = await post(events);
    expect([one.body.recorded, two.body.recorded, two.body.duplicates]).toEqual([10, 0, 10]);
    expect(two.body.results.map(({ event_id: id }) => id)).toEqual(one.body.results.map(({ event_id: id }) => id));
    expect(await appendedCount()).toBe(before);
  });

  it('takes the same key twice in one batch once: the second is a duplicate, or a conflict', async () => {
    const before = await appendedCount();
    const { body } = await post([
      { tool_id: toolId, idempotency_key: 'twice' },
      { tool_id: toolId, idempotency_key: 'twice' },
      { tool_id: toolId, idempotency_key: 'twice', success: false },
    ]);
    expect(body.results.map(({ status }) => status)).toEqual(['recorded', 'duplicate', 'rejected']);
    expect(body.results[1]?.event_id).toBe(body.results[0]?.event_id);
    expect(body.results[2]?.error).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    expect(await appendedCount()).toBe(before + 1);
  });

  it('lets the next with the same key try when the first is rejected', async () => {
    const old = toIso(gateway.clock.now() - 90_000_000);
    const events: object[] = Array.from({ length: 500 }, () => ({
      tool_id: toolId,
      idempotency_key: 'third-time',
      timestamp: old,
    }));
    events.push({ tool_id: toolId, idempotency_key: 'third-time' }, { tool_id: toolId, idempotency_key: 'third-time' });
    const { body } = await post(events);
    expect([body.rejected, body.recorded, body.duplicates]).toEqual([500, 1, 1]);
    expect(body.results[500]?.status).toBe('recorded');
  });

  it('takes 1,000 events and counts as one request for the limit', async () => {
    const { status, body, headers } = await post(Array.from({ length: 1_000 }, () => ({ tool_id: toolId })));
    expect([status, body.recorded, headers.get('x-ratelimit-remaining')]).toEqual([200, 1_000, '99']);
  });

  it('F02 rejects an item over 64 KiB alone', async () => {
    const frame = JSON.stringify({ tool_id: toolId, other: '' }).length;
    const fits = { tool_id: toolId, other: 'x'.repeat(65_536 - frame) };
    const { body } = await post([fits, { ...fits, other: `${fits.other}x` }, { tool_id: toolId }, 'y'.repeat(65_536)]);
    expect(body.results.map(({ status, error }) => error?.code ?? status)).toEqual([
      'recorded',
      'payload_too_large',
      'recorded',
      'payload_too_large',
    ]);
    expect(body.results[1]?.error?.status).toBe(413);
  });

  it('names the ignored fields of the envelope, not those of the items', async () => {
    const { headers, body } = await post([{ tool_id: toolId, foo: 1 }], { account_id: 'x' });
    expect([body.recorded, headers.get('x-ignored-fields')]).toEqual([1, 'account_id']);
  });
});

describe('POST /v1/events/batch 400', () => {
  it.each<[string, unknown]>([
    ['no list', undefined],
    ['null', null],
    ['an object', {}],
    ['an empty list', []],
    ['1,001 items (F03)', Array.from({ length: 1_001 }, () => ({ tool_id: 'a' }))],
  ])('refuses %s as `events`', async (_, events) => {
    const before = await appendedCount();
    const { status, body } = await post(events);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(await appendedCount()).toBe(before);
  });
});

describe('POST /v1/events/batch 401', () => {
  it('refuses who does not say who calls', async () => {
    const { status } = await gateway.send('POST', '/v1/events/batch', { body: { events: [] } });
    expect(status).toBe(401);
  });
});

describe('POST /v1/events/batch 413', () => {
  it('F02 takes a body of 1 MiB and refuses one byte more', async () => {
    const frame = JSON.stringify({ events: [{ tool_id: toolId }], padding: '' });
    for (const [size, expected] of [
      [1_048_576, 200],
      [1_048_577, 413],
    ] as const) {
      const rawBody = frame.replace('""', `"${'x'.repeat(size - frame.length)}"`);
      const headers = { 'content-type': 'application/json' };
      const { status } = await gateway.send('POST', '/v1/events/batch', { token, rawBody, headers });
      expect([size, status]).toEqual([size, expected]);
    }
  });
});

describe('POST /v1/events/batch 415', () => {
  it('takes JSON only', async () => {
    const { status } = await gateway.send('POST', '/v1/events/batch', {
      token,
      rawBody: 'events=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(415);
  });
});
