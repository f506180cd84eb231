import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { putDeadLetter } from '../support/put-dead-letter.ts';
import { operatorToken as token, useGatewayWithOperator } from '../support/use-gateway.ts';

const path = '/v1/operator/dead-letters';
const consumerId = randomUUID();

interface DeadLetterList {
  readonly dead_letters: readonly { readonly id: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
}

const gateway = useGatewayWithOperator();
let nowMs: number;
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
const idsOf = (places: readonly string[]) => places.map((place) => `usage.events.v1:${place}`);
const newestFirst = idsOf(['3:1', '0:3', '0:2', '0:1']);

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
