import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { putDeadLetter } from '../support/put-dead-letter.ts';
import { operatorToken as token, useGatewayWithOperator } from '../support/use-gateway.ts';
import { randomUUID } from 'node:crypto';
import { type UsageEventRecord, usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { toIso } from '@tollgate/kernel/clock';
import { createEventId } from '@tollgate/kernel/event-id';
import { stallLog } from '../support/stall-log.ts';

const gateway = useGatewayWithOperator();
const record = Buffer.from([0, 255, 123, 10]); // no text in any encoding
let id: string;
const consumerId = randomUUID();

interface DeadLetterList {
  readonly dead_letters: readonly { readonly id: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
}
let nowMs: number;
const idsOf = (places: readonly string[]) => places.map((place) => `usage.events.v1:${place}`);
const newestFirst = idsOf(['3:1', '0:3', '0:2', '0:1']);
let event: UsageEventRecord;
let offset = 0;

const put = (record: Uint8Array) =>
  putDeadLetter(gateway.owner, { offset: (offset += 1), storedAtMs: gateway.clock.now(), record });

/** All records of the log, by their place. */
async function readLog(): Promise<Map<string, Buffer>> {
  const records = new Map<string, Buffer>();
  for (let partition = 0; partition < 4; partition += 1) {
    const rows = await gateway.owner.query<{ next_offset: bigint; payload: Buffer }>(
      'select next_offset, payload from event_log.record_batch where topic = $1 and partition = $2',
      [usageEventsTopic, partition],
    );
    // A batch holds one record here, without a trace: three lengths (9 bytes), the key, the value.
    for (const { next_offset: next, payload } of rows)
      records.set(`${usageEventsTopic}:${partition}:${next - 1n}`, payload.subarray(9 + payload.readUInt32BE(0)));
  }
  return records;
}

describe('get dead letter', () => {
  const path = '/v1/operator/dead-letters';

  beforeAll(async () => {
    id = await putDeadLetter(gateway.owner, { offset: 7, partition: 2, storedAtMs: gateway.clock.now(), record });
  });

  describe(`GET ${path}/{id}: 200`, () => {
    it('shows the reason and the bytes, also for a percent-encoded id', async () => {
      for (const form of [id, encodeURIComponent(id)]) {
        const { status, body } = await gateway.send('GET', `${path}/${form}`, { token });
        expect(status).toBe(200);
        expect(body).toMatchObject({ id, code: 'invalid_json', record_base64: record.toString('base64') });
      }
    });
  });

  describe(`GET ${path}/{id}: 404`, () => {
    it.each(['usage.events.v1:2:8', 'usage.events.v2:2:7', 'usage.events.v1:2:-7', 'nothing', 'usage.events.v1:2:7:1'])(
      'is the answer for %s',
      async (unknown) => {
        const { status, body } = await gateway.send('GET', `${path}/${unknown}`, { token });
        expect([status, body['code']]).toEqual([404, 'not_found']);
      },
    );
  });
});

describe('list dead letters', () => {
  const path = '/v1/operator/dead-letters';
  beforeAll(() => {
    nowMs = gateway.clock.now();
  });
  beforeEach(async () => {
    await gateway.owner.query('truncate usage.dead_letter');
    const conflict = { code: 'idempotency_conflict', consumerId };
    await putDeadLetter(gateway.owner, { offset: 1, storedAtMs: nowMs - 2_000 });
    await putDeadLetter(gateway.owner, { offset: 2, storedAtMs: nowMs - 1_000, ...conflict });
    await putDeadLetter(gateway.owner, { offset: 3, storedAtMs: nowMs - 1_000 }); // its place alone tells it from the last one
    await putDeadLetter(gateway.owner, { offset: 1, partition: 3, storedAtMs: nowMs });
  });

  const list = async (query = '') => (await gateway.send<DeadLetterList>('GET', `${path}${query}`, { token })).body;

  describe(`GET ${path}: 200`, () => {
    it('lists dead letters newest first, without their bytes', async () => {
      const page = await list();
      expect(page.dead_letters.map(({ id }) => id)).toEqual(newestFirst);
      expect(page.total).toBe(4);
      expect(page.dead_letters[2]).toEqual({
        id: 'usage.events.v1:0:2',
        topic: 'usage.events.v1',
        partition: 0,
        offset: 2,
        code: 'idempotency_conflict',
        reason: 'nobody can read it',
        consumer_id: consumerId,
        event_id: null,
        tool_id: null,
        received_at: null,
        stored_at: '2026-11-21T12:34:55.789Z',
        replayed_at: null,
        replayed_as: null,
      });
    });

    it.each([1, 2, 3])('shows each once in pages of %i, with the same total on all pages', async (limit) => {
      const ids: string[] = [];
      for (let cursor = ''; ;) {
        const page = await list(`?limit=${limit}${cursor}`);
        ids.push(...page.dead_letters.map(({ id }) => id));
        expect(page.total).toBe(4);
        if (page.next_cursor === null) break;
        cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
      }
      expect(ids).toEqual(newestFirst);
    });

    it.each([
      ['code=idempotency_conflict', ['0:2']],
      [`consumer_id=${consumerId}`, ['0:2']],
      ['code=nothing', []],
      ['replayed=true', ['0:3']],
      ['replayed=false', ['3:1', '0:2', '0:1']],
      ['replayed=false&code=invalid_json', ['3:1', '0:1']],
    ])('filters by %s', async (query, places) => {
      await gateway.send('POST', `${path}/usage.events.v1:0:3/replay`, { token });
      const page = await list(`?${query}`);
      expect(page.dead_letters.map(({ id }) => id)).toEqual(idsOf(places));
      expect(page.total).toBe(places.length);
    });
  });

  describe(`GET ${path}: 400`, () => {
    it.each([
      ['/limit', 'limit=0'],
      ['/cursor', 'cursor=WyJhIl0'],
      ['/consumer_id', 'consumer_id=me'],
      ['/replayed', 'replayed=perhaps'],
      ['/code', 'code='],
    ])('points at %s of %s', async (pointer, query) => {
      const refused = await gateway.send('GET', `${path}?${query}`, { token });
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
    });
  });
});

describe('replay dead letter', () => {
  const path = '/v1/operator/dead-letters';
  beforeAll(() => gateway.owner.query('truncate usage.dead_letter'));
  beforeEach(async () => {
    const at = toIso(gateway.clock.now());
    const ids = { event_id: createEventId(gateway.clock.now()), consumer_id: randomUUID(), tool_id: 'weather' };
    event = { v: 1, ...ids, occurred_at: at, received_at: at, success: true };
    id = await put(Buffer.from(JSON.stringify(event)));
  });
  const stored = async () => (await gateway.send('GET', `${path}/${id}`, { token })).body;
  const replay = (of = id) =>
    gateway.send<{ replayed_at: string; replayed_as: string }>('POST', `${path}/${of}/replay`, { token });

  describe(`POST ${path}/{id}/replay: 200`, () => {
    it('appends the same bytes again and marks the row with their new place', async () => {
      const { status, body } = await replay();
      expect(status).toBe(200);
      expect(body.replayed_at).toBe(toIso(gateway.clock.now()));
      expect((await readLog()).get(body.replayed_as)?.toString()).toBe(JSON.stringify(event));
      expect(await stored()).toEqual(body);
    });

    it('also appends a record that cannot be decoded: a later version may be able to', async () => {
      const bytes = Buffer.from([0, 255, 123]);
      const { body } = await replay(await put(bytes));
      expect((await readLog()).get(body.replayed_as)).toEqual(bytes);
    });

    it('may be repeated, and shows the latest replay', async () => {
      const first = await replay();
      gateway.clock.advance(1_000);
      const second = await replay();
      expect(second.body.replayed_as).not.toBe(first.body.replayed_as);
      expect(second.body.replayed_at).toBe(toIso(gateway.clock.now()));
    });

    it('logs the replay with its place', async () => {
      const { body } = await replay();
      expect(gateway.logged()).toContain('the operator replayed a dead letter');
      expect(gateway.logged()).toContain(`"offset":"${body.replayed_as.split(':')[2]}"`);
    });
  });

  describe(`POST ${path}/{id}/replay: 400, 413 and 415`, () => {
    it.each([
      [400, { rawBody: '{', headers: { 'content-type': 'application/json' } }],
      [413, { rawBody: ' '.repeat(65_537), headers: { 'content-type': 'application/json' } }],
      [415, { rawBody: 'hello', headers: { 'content-type': 'text/plain' } }],
    ])('%i for a body that cannot be read, although the route needs none', async (status, request) => {
      expect(await gateway.send('POST', `${path}/${id}/replay`, { token, ...request })).toMatchObject({ status });
      expect(await stored()).toMatchObject({ replayed_at: null });
    });
  });

  describe(`POST ${path}/{id}/replay: 401 and 404`, () => {
    it('changes nothing for a caller without the operator’s token', async () => {
      expect(await gateway.send('POST', `${path}/${id}/replay`)).toMatchObject({ status: 401 });
      const account = await gateway.newAccount();
      expect(await gateway.send('POST', `${path}/${id}/replay`, account)).toMatchObject({ status: 404 });
      expect(await stored()).toMatchObject({ replayed_at: null });
    });

    it('is 404 for an id that does not exist', async () => {
      expect(await replay('usage.events.v1:0:999999')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });
  });

  describe(`POST ${path}/{id}/replay: 503`, () => {
    it('while the append has no known outcome: the row is unmarked, and a replay is safe to repeat', async () => {
      const stall = await stallLog(gateway.owner);
      const unknown = await replay();
      await stall.release();
      expect(unknown).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(await stored()).toMatchObject({ replayed_at: null });
      expect((await replay()).status).toBe(200);
    });
  });
});
