import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RefusedEventList } from '@tollgate/contracts/event-answers';
import { toIso } from '@tollgate/kernel/clock';
import { startGateway, type GatewayUnderTest, type TestAccount } from '../support/gateway-under-test.ts';
import { putRefusedEvent } from '../support/put-counted-event.ts';

let gateway: GatewayUnderTest;
let account: TestAccount;
let other: TestAccount;
let ids: string[];

beforeAll(async () => {
  gateway = await startGateway();
  [account, other] = [await gateway.newAccount(), await gateway.newAccount()];
  const receivedAtMs = gateway.clock.now();
  ids = [];
  for (let offset = 0; offset < 5; offset += 1) {
    const at = receivedAtMs + (offset < 3 ? 0 : offset); // three of one millisecond
    ids.push(await putRefusedEvent(gateway.owner, { consumerId: account.accountId, receivedAtMs: at, offset }));
  }
  await putRefusedEvent(gateway.owner, { consumerId: other.accountId, receivedAtMs, offset: 9 });
});
afterAll(() => gateway.stop());

function list(query = '', { token } = account) {
  return gateway.send<RefusedEventList & { code: string }>('GET', `/v1/events/refused${query}`, { token });
}

describe('GET /v1/events/refused 200', () => {
  it('lists what was acknowledged and then refused, newest first, with the reason (F06)', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.events.map(({ event_id: id }) => id)).toEqual(ids.toReversed());
    expect(body.events.at(-1)).toEqual({
      event_id: ids[0],
      tool_id: 'some-tool',
      received_at: toIso(gateway.clock.now()),
      code: 'idempotency_conflict',
      detail: 'another body',
    });
    expect(body.total).toBeNull();
  });

  it('pages without gap or repeat', async () => {
    const one = await list('?limit=3');
    const two = await list(`?limit=3&cursor=${one.body.next_cursor}`);
    const seen = [...one.body.events, ...two.body.events].map(({ event_id: id }) => id);
    expect(seen).toEqual(ids.toReversed());
    expect([one.body.has_more, two.body.has_more, two.body.next_cursor]).toEqual([true, false, null]);
  });

  it('shows each account its own, also with a cursor of another', async () => {
    expect((await list('', other)).body.events).toHaveLength(1);
    const cursor = (await list('?limit=1')).body.next_cursor;
    const { body } = await list(`?cursor=${cursor}`, other);
    expect(body.events.every(({ event_id: id }) => !ids.includes(id))).toBe(true);
  });
});

describe('GET /v1/events/refused 400', () => {
  it('refuses a bad limit and a cursor of another list', async () => {
    expect((await list('?limit=many')).body.code).toBe('invalid_request');
    expect((await list('?cursor=abc')).body.code).toBe('invalid_request');
  });
});

describe('GET /v1/events/refused 401', () => {
  it('refuses who does not say who calls', async () => {
    expect((await gateway.send('GET', '/v1/events/refused')).status).toBe(401);
  });
});
