import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventBatchResult } from '@tollgate/contracts/events/event-answers';
import { toIso } from '@tollgate/kernel/clock';
import { useGateway } from '../support/use-gateway.ts';
import { uuidV8 } from '@tollgate/kernel/uuid';
import { keyedIdOf } from '../support/put-counted-event.ts';

const gateway = useGateway();
let token: string;
let accountId: string;
let toolId: string;

type Answer = EventBatchResult & { code: string };

function post(events: unknown, rest: object = {}) {
  return gateway.send<Answer>('POST', '/v1/events/batch', { token, body: { events, ...rest } });
}

const ownRecords = async () =>
  (await gateway.appended()).filter(({ consumer_id: consumerId }) => consumerId === accountId);
const copies = (count: number): object[] => Array.from({ length: count }, () => ({ tool_id: toolId }));

describe('record event batch', () => {
  beforeAll(async () => {
    toolId = await gateway.newTool();
  });
  beforeEach(async () => {
    ({ token, accountId } = await gateway.newAccount());
  });

  describe('POST /v1/events/batch 200', () => {
    it('F03 records the valid items beside an invalid one, and names the fault by a pointer into its item', async () => {
      const events = copies(100).with(57, { tool_id: toolId, metadata: { a: { b: 1 } } });
      const { status, body } = await post(events);
      expect([status, body.recorded, body.duplicates, body.rejected, body.unknown]).toEqual([200, 99, 0, 1, 0]);
      expect(body.results.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, index) => index));
      const errors = [expect.objectContaining({ pointer: '/metadata/a' })];
      const error = { status: 400, code: 'invalid_request', detail: expect.any(String), errors };
      expect(body.results[57]).toEqual({ index: 57, status: 'rejected', error });
      const timestamp = toIso(gateway.clock.now());
      expect(body.results[0]).toEqual({ index: 0, status: 'recorded', event_id: expect.any(String), timestamp });
      const answered = body.results.flatMap(({ event_id: id }) => (id === undefined ? [] : [id]));
      expect((await ownRecords()).map((record) => record.event_id).toSorted()).toEqual(answered.toSorted());
    });

    it('F03 answers 200 when every item is invalid, each with its own reason', async () => {
      const summing = await gateway.newTool({ measures: ['tokens'] });
      const { status, body } = await post([
        null,
        {},
        { tool_id: 'unknown-tool' },
        { tool_id: summing, metadata: { tokens: 'many' } },
        { tool_id: toolId, timestamp: '2001-01-01T00:00:00Z' },
      ]);
      expect([status, body.rejected]).toEqual([200, 5]);
      expect(body.results.map(({ error }) => `${error?.status} ${error?.code}`)).toEqual([
        '400 invalid_request',
        '400 invalid_request',
        '404 tool_not_found',
        '400 invalid_request',
        '422 event_expired',
      ]);
    });

    it('F03 is safe to send again: the items with a key are duplicates with the first answer', async () => {
      const events = copies(10).map((event, index) => ({ ...event, idempotency_key: `k${index}` }));
      const one = await post(events);
      const two = await post(events);
      expect([one.body.recorded, two.body.recorded, two.body.duplicates]).toEqual([10, 0, 10]);
      expect(two.body.results.map(({ event_id: id }) => id)).toEqual(one.body.results.map(({ event_id: id }) => id));
      expect(await ownRecords()).toHaveLength(10);
    });

    it('records a key that comes twice in one batch once: the second item is a duplicate, or a conflict', async () => {
      const item = { tool_id: toolId, idempotency_key: 'twice' };
      const { body } = await post([item, item, { ...item, success: false }]);
      expect(body.results.map(({ status }) => status)).toEqual(['recorded', 'duplicate', 'rejected']);
      expect(body.results[1]?.event_id).toBe(body.results[0]?.event_id);
      expect(body.results[2]?.error).toMatchObject({ status: 409, code: 'idempotency_conflict' });
      expect(await ownRecords()).toHaveLength(1);
    });

    it('accepts 1,000 events and counts as one request for the limit', async () => {
      const { status, body, headers } = await post(copies(1_000));
      expect([status, body.recorded, headers.get('x-ratelimit-remaining')]).toEqual([200, 1_000, '99']);
    });

    it('F02 rejects only the item over 64 KiB', async () => {
      const frame = JSON.stringify({ tool_id: toolId, other: '' }).length;
      const fits = { tool_id: toolId, other: 'x'.repeat(65_536 - frame) };
      const { body } = await post([
        fits,
        { ...fits, other: `${fits.other}x` },
        { tool_id: toolId },
        'y'.repeat(65_536),
      ]);
      const codes = body.results.map(({ status, error }) => error?.code ?? status);
      expect(codes).toEqual(['recorded', 'payload_too_large', 'recorded', 'payload_too_large']);
      expect(body.results[1]?.error?.status).toBe(413);
    });

    it('names the ignored fields of the envelope in the header, and those of each item in its result', async () => {
      const { headers, body } = await post([{ tool_id: toolId, foo: 1 }, { tool_id: toolId }], { account_id: 'x' });
      expect([body.recorded, headers.get('x-ignored-fields')]).toEqual([2, 'account_id']);
      expect(body.results.map((result) => result.ignored_fields)).toEqual([['foo'], undefined]);
    });

    it('F73 rejects the items alone that name another account as their consumer', async () => {
      const other = await gateway.newAccount();
      const { body } = await post([other, { accountId }].map((to) => ({ tool_id: toolId, consumer_id: to.accountId })));
      expect(body.results.map(({ status, error }) => error?.code ?? status)).toEqual([
        'consumer_not_accepted',
        'recorded',
      ]);
      expect(body.results[0]?.error).toMatchObject({ status: 400, errors: [{ pointer: '/consumer_id' }] });
      expect(await ownRecords()).toHaveLength(1);
    });

    it('rejects an item with a camelCase twin of a field', async () => {
      const { body } = await post([{ tool_id: toolId, idempotencyKey: 'k' }, { tool_id: toolId }]);
      const errors = [{ pointer: '/idempotencyKey', code: 'unknown_field' }];
      expect(body.results).toMatchObject([{ status: 'rejected', error: { errors } }, { status: 'recorded' }]);
    });
  });

  describe('POST /v1/events/batch 400', () => {
    it.each<[string, unknown]>([
      ['no list', undefined],
      ['an empty list', []],
      ['1,001 items (F03)', Array.from({ length: 1_001 }, () => ({ tool_id: 'a' }))],
    ])('refuses %s as `events`', async (_, events) => {
      const { status, body } = await post(events);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(await ownRecords()).toEqual([]);
    });
  });

  describe('POST /v1/events/batch 413', () => {
    it.each([
      [1_048_576, 200],
      [1_048_577, 413],
    ])('F02 answers a body of %i bytes with %i', async (size, expected) => {
      const frame = JSON.stringify({ events: [{ tool_id: toolId }], padding: '' });
      const rawBody = frame.replace('""', `"${'x'.repeat(size - frame.length)}"`);
      const headers = { 'content-type': 'application/json' };
      const { status } = await gateway.send('POST', '/v1/events/batch', { token, rawBody, headers });
      expect(status).toBe(expected);
    });
  });
});

it('F190 makes the id of an event with a key with the secret of the database', async () => {
  const [{ accountId, token }, toolId] = [await gateway.newAccount(), await gateway.newTool()];
  const key = 'order-1';
  const { body } = await gateway.record({ tool_id: toolId, idempotency_key: key }, { token });
  expect(body.event_id).toBe(await keyedIdOf(gateway.owner, { accountId, key }));
  expect(body.event_id).not.toBe(uuidV8(accountId, key));
});
