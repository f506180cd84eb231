import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { usageEventsTopic, type UsageEventRecord } from '@tollgate/contracts/event-record';
import { toIso } from '@tollgate/kernel/clock';
import { createEventId } from '@tollgate/kernel/event-id';
import { startGateway, type GatewayUnderTest } from '../support/gateway-under-test.ts';
import { putDeadLetter } from '../support/put-dead-letter.ts';
import { stallLog } from '../support/stall-log.ts';

const token = 'the-operator-of-these-tests-nobody-else';
const path = '/v1/operator/dead-letters';

let gateway: GatewayUnderTest;
let event: UsageEventRecord;
let id: string;
let offset = 0;
beforeAll(async () => {
  gateway = await startGateway({ settings: { OPERATOR_TOKEN: token } });
});
beforeEach(async () => {
  const at = toIso(gateway.clock.now());
  const event_id = createEventId(gateway.clock.now());
  event = {
    v: 1,
    event_id,
    consumer_id: randomUUID(),
    tool_id: 'weather',
    occurred_at: at,
    received_at: at,
    success: true,
  };
  id = await put(Buffer.from(JSON.stringify(event)));
});
afterAll(() => gateway.stop());

const put = (record: Uint8Array) =>
  putDeadLetter(gateway.owner, { offset: (offset += 1), storedAtMs: gateway.clock.now(), record });
const replay = (of = id) =>
  gateway.send<{ replayed_at: string; replayed_as: string }>('POST', `${path}/${of}/replay`, { token });

/** All records of the log, by the place that they got. */
async function readLog(): Promise<Map<string, Buffer>> {
  const records = new Map<string, Buffer>();
  for (let partition = 0; partition < 4; partition += 1) {
    const rows = await gateway.owner.query<{ next_offset: bigint; payload: Buffer }>(
      'select next_offset, payload from event_log.record_batch where topic = $1 and partition = $2',
      [usageEventsTopic, partition],
    );
    // One record a batch here: two lengths, the key, the value.
    for (const { next_offset, payload } of rows)
      records.set(
        `${usageEventsTopic}:${partition}:${next_offset - 1n}`,
        payload.subarray(8 + payload.readUInt32BE(0)),
      );
  }
  return records;
}

describe(`POST ${path}/{id}/replay: 200`, () => {
  it('appends the very bytes again and marks the row with the place that they got', async () => {
    const { status, body } = await replay();
    expect(status).toBe(200);
    expect(body.replayed_at).toBe(toIso(gateway.clock.now()));
    expect((await readLog()).get(body.replayed_as)?.toString()).toBe(JSON.stringify(event));
    expect((await gateway.send('GET', `${path}/${id}`, { token })).body).toEqual(body);
  });

  it('appends also what nobody can read: a later version may', async () => {
    const bytes = Buffer.from([0, 255, 123]);
    const { body } = await replay(await put(bytes));
    expect((await readLog()).get(body.replayed_as)).toEqual(bytes);
  });

  it('may be repeated, and shows the last one', async () => {
    const first = await replay();
    gateway.clock.advance(1_000);
    const second = await replay();
    expect(second.body.replayed_as).not.toBe(first.body.replayed_as);
    expect(second.body.replayed_at).toBe(toIso(gateway.clock.now()));
  });

  it('tells the log who did what', async () => {
    const { body } = await replay();
    expect(gateway.logged()).toContain('the operator replayed a dead letter');
    expect(gateway.logged()).toContain(`"offset":"${body.replayed_as.split(':')[2]}"`);
  });
});

describe(`POST ${path}/{id}/replay: 400, 413, 415`, () => {
  it.each([
    [400, { rawBody: '{', headers: { 'content-type': 'application/json' } }],
    [413, { rawBody: ' '.repeat(65_537), headers: { 'content-type': 'application/json' } }],
    [415, { rawBody: 'hello', headers: { 'content-type': 'text/plain' } }],
  ])('%i for a body that cannot be read, which nobody asked for', async (status, request) => {
    expect(await gateway.send('POST', `${path}/${id}/replay`, { token, ...request })).toMatchObject({ status });
    expect((await gateway.send('GET', `${path}/${id}`, { token })).body).toMatchObject({ replayed_at: null });
  });
});

describe(`POST ${path}/{id}/replay: 401 and 404`, () => {
  it('does nothing for nobody and for an account', async () => {
    expect(await gateway.send('POST', `${path}/${id}/replay`)).toMatchObject({ status: 401 });
    expect(await gateway.send('POST', `${path}/${id}/replay`, await gateway.newAccount())).toMatchObject({
      status: 404,
    });
    expect((await gateway.send('GET', `${path}/${id}`, { token })).body).toMatchObject({ replayed_at: null });
  });

  it('finds nothing that is not there', async () => {
    expect(await replay('usage.events.v1:0:999999')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe(`POST ${path}/{id}/replay: 503`, () => {
  it('when it cannot be told whether the record lies in the log: unmarked, and safe to repeat', async () => {
    const stall = await stallLog(gateway.owner);
    const unknown = await replay();
    await stall.release();
    expect(unknown).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect((await gateway.send('GET', `${path}/${id}`, { token })).body).toMatchObject({ replayed_at: null });
    expect((await replay()).status).toBe(200);
  });
});
