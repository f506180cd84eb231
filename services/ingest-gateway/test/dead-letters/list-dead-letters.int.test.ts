import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startGateway, type GatewayUnderTest } from '../support/gateway-under-test.ts';
import { putDeadLetter } from '../support/put-dead-letter.ts';

const token = 'the-operator-of-these-tests-nobody-else';
const path = '/v1/operator/dead-letters';
const consumerId = randomUUID();

interface DeadLetterList {
  readonly dead_letters: readonly { readonly id: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
}

let gateway: GatewayUnderTest;
let nowMs: number;
beforeAll(async () => {
  gateway = await startGateway({ settings: { OPERATOR_TOKEN: token } });
  nowMs = gateway.clock.now();
});
beforeEach(async () => {
  await gateway.owner.query('truncate usage.dead_letter');
  // Two at one time, which only their places tell apart.
  await putDeadLetter(gateway.owner, { offset: 1, storedAtMs: nowMs - 2_000 });
  await putDeadLetter(gateway.owner, {
    offset: 2,
    storedAtMs: nowMs - 1_000,
    code: 'idempotency_conflict',
    consumerId,
  });
  await putDeadLetter(gateway.owner, { offset: 3, storedAtMs: nowMs - 1_000 });
  await putDeadLetter(gateway.owner, { offset: 1, partition: 3, storedAtMs: nowMs });
});
afterAll(() => gateway.stop());

const list = async (query = '') => (await gateway.send<DeadLetterList>('GET', `${path}${query}`, { token })).body;
const newestFirst = ['3:1', '0:3', '0:2', '0:1'].map((place) => `usage.events.v1:${place}`);

describe(`GET ${path}: 200`, () => {
  it('lists them newest first, without their bytes', async () => {
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

  it.each([1, 2, 3])('shows each once in pages of %i, with the same total on all', async (limit) => {
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
  ])('by %s', async (query, places) => {
    await gateway.send('POST', `${path}/usage.events.v1:0:3/replay`, { token });
    const page = await list(`?${query}`);
    expect(page.dead_letters.map(({ id }) => id)).toEqual(places.map((place) => `usage.events.v1:${place}`));
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

describe(`GET ${path}: 401`, () => {
  it.each([undefined, token.slice(1), `${token}!`, token.replace('t', 'T')])('refuses %s', async (wrong) => {
    const refused = await gateway.send('GET', path, wrong === undefined ? {} : { token: wrong });
    expect(refused).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });
});

describe(`GET ${path}: 404`, () => {
  it('is not there for an account', async () => {
    expect(await gateway.send('GET', path, await gateway.newAccount())).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });

  it('is not there for anybody where there is no operator', async () => {
    const other = await startGateway();
    for (const credential of [{}, { token }, await other.newAccount()])
      expect(await other.send('GET', path, credential)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await other.stop();
  });
});

describe(`GET ${path}: what the operator's token does not open`, () => {
  it('is what needs an account: 403, for the operator has none', async () => {
    expect(await gateway.send('GET', '/v1/events', { token })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });
});
