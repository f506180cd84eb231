import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RefusedEventList } from '@tollgate/contracts/events/event-answers';
import { toIso } from '@tollgate/kernel/clock';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { putDeadLetter } from '../support/put-dead-letter.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
let account: TestAccount;
let other: TestAccount;
let ids: string[];

beforeAll(async () => {
  [account, other] = [await gateway.newAccount(), await gateway.newAccount()];
  ids = Array.from({ length: 5 }, () => randomUUID());
  const refuse = (eventId: string, { accountId: consumerId }: TestAccount, offset: number) => {
    const storedAtMs = gateway.clock.now() + (offset < 3 ? 0 : offset); // the first three have the same millisecond
    return putDeadLetter(gateway.owner, { eventId, consumerId, offset, storedAtMs, code: 'idempotency_conflict' });
  };
  for (const [offset, id] of ids.entries()) await refuse(id, account, offset);
  await refuse(randomUUID(), other, 9);
});

function list(query = '', { token } = account) {
  return gateway.send<RefusedEventList & { code: string }>('GET', `/v1/events/refused${query}`, { token });
}

describe('GET /v1/events/refused 200', () => {
  it('F06 lists events that were acknowledged and then refused, newest first, with the reason', async () => {
    const { status, body } = await list();
    expect([status, body.total]).toEqual([200, null]);
    expect(body.events.map(({ event_id: id }) => id)).toEqual(ids.toReversed());
    expect(body.events.at(-1)).toEqual({
      event_id: ids[0],
      tool_id: 'some-tool',
      received_at: toIso(gateway.clock.now()),
      code: 'idempotency_conflict',
      detail: 'nobody can read it',
    });
  });

  it('pages without gap or repeat', async () => {
    const [one, whole] = [await list('?limit=3'), await list('?limit=5')];
    const two = await list(`?limit=3&cursor=${one.body.next_cursor}`);
    const seen = [...one.body.events, ...two.body.events].map(({ event_id: id }) => id);
    expect(seen).toEqual(ids.toReversed());
    expect([one.body.has_more, two.body.has_more, two.body.next_cursor]).toEqual([true, false, null]);
    expect([whole.body.has_more, whole.body.next_cursor]).toEqual([false, null]); // nothing is behind a full page
  });

  it('F72 shows each account its own, also with the cursor of another', async () => {
    expect((await list('', other)).body.events).toHaveLength(1);
    const { body } = await list(`?cursor=${(await list('?limit=1')).body.next_cursor}`, other);
    expect(body.events.every(({ event_id: id }) => !ids.includes(id))).toBe(true);
  });
});

describe('GET /v1/events/refused 400', () => {
  it.each(['limit=many', 'cursor=abc'])('refuses %s', async (query) => {
    expect((await list(`?${query}`)).body.code).toBe('invalid_request');
  });
});
