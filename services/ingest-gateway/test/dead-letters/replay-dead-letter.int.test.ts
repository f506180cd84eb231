import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { usageEventsTopic, type UsageEventRecord } from '@tollgate/contracts/events/event-record';
import { toIso } from '@tollgate/kernel/clock';
import { createEventId } from '@tollgate/kernel/event-id';
import { putDeadLetter } from '../support/put-dead-letter.ts';
import { stallLog } from '../support/stall-log.ts';
import { operatorToken as token, useGatewayWithOperator } from '../support/use-gateway.ts';

const path = '/v1/operator/dead-letters';

const gateway = useGatewayWithOperator();
let event: UsageEventRecord;
let id: string;
let offset = 0;
beforeEach(async () => {
  const at = toIso(gateway.clock.now());
  const ids = { event_id: createEventId(gateway.clock.now()), consumer_id: randomUUID(), tool_id: 'weather' };
  event = { v: 1, ...ids, occurred_at: at, received_at: at, success: true };
  id = await put(Buffer.from(JSON.stringify(event)));
});

const put = (record: Uint8Array) =>
  putDeadLetter(gateway.owner, { offset: (offset += 1), storedAtMs: gateway.clock.now(), record });
const stored = async () => (await gateway.send('GET', `${path}/${id}`, { token })).body;
const replay = (of = id) =>
  gateway.send<{ replayed_at: string; replayed_as: string }>('POST', `${path}/${of}/replay`, { token });

/** All records of the log, by their place. */
async function readLog(): Promise<Map<string, Buffer>> {
  const records = new Map<string, Buffer>();
  for (let partition = 0; partition < 4; partition += 1) {
    const rows = await gateway.owner.query<{ next_offset: bigint; payload: Buffer }>(
      'select next_offset, payload from event_log.record_batch where topic = $1 and partition = $2',
      [usageEventsTopic, partition],
    );
    // A batch holds one record here: two lengths, the key, the value.
    for (const { next_offset: next, payload } of rows)
      records.set(`${usageEventsTopic}:${partition}:${next - 1n}`, payload.subarray(8 + payload.readUInt32BE(0)));
  }
  return records;
}

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
