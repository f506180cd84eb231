import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { BuilderEvent, ConsumerEvent, RefusedEventList } from '@tollgate/contracts/events/event-answers';
import { toIso } from '@tollgate/kernel/clock';
import { createEventId, keyedEventId } from '@tollgate/kernel/event-id';
import { eventually } from '@tollgate/testkit/eventually';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { putCountedEvent } from '../support/put-counted-event.ts';
import { useGateway } from '../support/use-gateway.ts';
import { hourMs } from '@tollgate/kernel/durations';
import { putDeadLetter } from '../support/put-dead-letter.ts';

const gateway = useGateway();
let consumer: TestAccount;
let builder: TestAccount;
let stranger: TestAccount;
let ids: string[];
const passId = randomUUID();

type Answer = ConsumerEvent & BuilderEvent & { code: string; counted_through: string };

function get({ token }: TestAccount, id: string) {
  return gateway.send<Answer>('GET', `/v1/events/${id}`, { token });
}
let summing: string;
let plain: string;
let startMs: number;

interface Page {
  events: (ConsumerEvent & BuilderEvent)[];
  total: null;
  has_more: boolean;
  next_cursor: string | null;
  code: string;
  errors?: { pointer: string }[];
}

const hoursOf = (page: Page): number[] => page.events.map(({ event_id: id }) => ids.indexOf(id));
let account: TestAccount;
let other: TestAccount;

describe('get event', () => {
  beforeAll(async () => {
    [consumer, builder, stranger] = [
      await gateway.newAccount(),
      await gateway.newAccount(),
      await gateway.newAccount(),
    ];
    const toolId = await gateway.newTool({ ownerId: builder.accountId, measures: ['tokens'] });
    const occurredAtMs = gateway.clock.now() - 5_000_000;
    const wish = { consumerId: consumer.accountId, toolId, occurredAtMs, metadata: { tokens: 3, secret: 'canary' } };
    const keyed = { ...wish, key: 'my-key', passId };
    ids = [await putCountedEvent(gateway.owner, wish), await putCountedEvent(gateway.owner, keyed)];
  });

  describe('GET /v1/events/{event_id} 200', () => {
    it('F95 shows the consumer the whole event, with and without a key and a pass', async () => {
      for (const [index, key] of [null, 'my-key'].entries()) {
        const { status, body } = await get(consumer, ids[index] ?? '');
        expect(status).toBe(200);
        const metadata = { tokens: 3, secret: 'canary' };
        const pass_id = key && passId;
        expect(body).toMatchObject({ event_id: ids[index], idempotency_key: key, metadata, pass_id });
        expect(body).not.toHaveProperty('consumer_id');
      }
    });

    it('shows the builder the caller and the metadata that its price sums, and neither key nor pass', async () => {
      for (const id of ids) {
        const { status, body, text } = await get(builder, id);
        expect(status).toBe(200);
        expect(body).toMatchObject({ event_id: id, consumer_id: consumer.accountId, metadata: { tokens: 3 } });
        expect(text).not.toMatch(/canary|my-key|idempotency_key|pass_id/);
      }
    });
  });

  describe('GET /v1/events/{event_id} 404', () => {
    it('has the watermark, so that "not yet" and "never" differ', async () => {
      const before = await get(consumer, createEventId(gateway.clock.now()));
      const { code, counted_through: start } = before.body;
      expect([before.status, code, start]).toEqual([404, 'event_not_found', '1970-01-01T00:00:00.000Z']);
      await gateway.owner.query(
        `with topic as (insert into usage.log_topic values ('usage.events.v1', 1))
       insert into usage.cursor values ('usage.events.v1', 0, 0, '2026-11-21T12:00:00.123Z')`,
      );
      const after = await get(consumer, createEventId(gateway.clock.now()));
      expect(after.body.counted_through).toBe('2026-11-21T12:00:00.123Z');
    });

    it('never names a watermark past an event that is counted during the search', async () => {
      const occurredAtMs = gateway.clock.now();
      let answer: ReturnType<typeof get> | undefined;
      const eventId = createEventId(occurredAtMs);
      await gateway.owner.transaction(async (tx) => {
        await tx.query('lock table usage.cursor in access exclusive mode'); // a read of the watermark waits
        answer = get(consumer, eventId);
        const waiters = "select from pg_locks where not granted and relation = 'usage.cursor'::regclass";
        await eventually(async () => (await tx.query(waiters)).length > 0, { withinMs: 1_500 });
        await putCountedEvent(tx, { consumerId: consumer.accountId, toolId: 'late', occurredAtMs, eventId });
        await tx.query('update usage.cursor set counted_through = $1', [toIso(occurredAtMs + 1)]);
      });
      expect(await answer).toMatchObject({ status: 200, body: { event_id: eventId } });
    });

    it('F72 is the same for an event of another account as for no event', async () => {
      for (const id of [...ids, randomUUID(), keyedEventId('', { accountId: stranger.accountId, key: 'none' })]) {
        const { status, body } = await get(stranger, id);
        expect([status, body.code]).toEqual([404, 'event_not_found']);
      }
    });

    it.each([
      ['no id', () => 'not-a-uuid'],
      ['SQL', () => encodeURI("';--")],
      ['an id in upper case', () => (ids[1] ?? '').toUpperCase()],
      ['the first time that an id can name', () => '00000000-0000-7000-8000-000000000000'],
      ['the last time that an id can name', () => 'ffffffff-ffff-7fff-bfff-ffffffffffff'],
    ])('is the answer for %s', async (_, id) => {
      const { status, body } = await get(consumer, id());
      expect([status, body.code]).toEqual([404, 'event_not_found']);
    });
  });
});

describe('list events', () => {
  /** Ten events of the hours 0 to 9; those of the even hours have a key and the summing tool. */
  beforeAll(async () => {
    [consumer, builder, stranger] = [
      await gateway.newAccount(),
      await gateway.newAccount(),
      await gateway.newAccount(),
    ];
    summing = await gateway.newTool({ ownerId: builder.accountId, measures: ['tokens', 'pages'] });
    plain = await gateway.newTool();
    startMs = gateway.clock.now() - 40 * hourMs;
    ids = [];
    for (let hour = 0; hour < 10; hour += 1) {
      const metadata = { tokens: hour, secret: `canary-${hour}` };
      const wish = {
        consumerId: consumer.accountId,
        occurredAtMs: startMs + hour * hourMs,
        metadata,
        durationMs: hour,
      };
      const call = hour % 2 === 0 ? { toolId: summing, key: `key-${hour}` } : { toolId: plain };
      ids.push(await putCountedEvent(gateway.owner, { ...wish, ...call }));
    }
    const foreign = { consumerId: stranger.accountId, toolId: plain, occurredAtMs: startMs, key: 'key-0' };
    await putCountedEvent(gateway.owner, foreign);
  });

  async function list({ token }: TestAccount, query = ''): Promise<Page & { status: number }> {
    const { status, body } = await gateway.send<Page>('GET', `/v1/events${query}`, { token });
    return { status, ...body };
  }

  describe('GET /v1/events 200', () => {
    it('lists the own events, newest first, as they were sent', async () => {
      const page = await list(consumer);
      expect(hoursOf(page)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
      expect([page.total, page.has_more, page.next_cursor]).toEqual([null, false, null]);
      expect(page.events[1]).toEqual({
        event_id: ids[8],
        tool_id: summing,
        status: 'recorded',
        state: 'counted',
        timestamp: toIso(startMs + 8 * hourMs),
        received_at: toIso(startMs + 8 * hourMs),
        duration_ms: 8,
        success: true,
        metadata: { tokens: 8, secret: 'canary-8' },
        idempotency_key: 'key-8',
        pass_id: null,
      });
      expect(page.events[0]?.idempotency_key).toBeNull();
    });

    it('F96 filters by pass', async () => {
      const { accountId, token } = await gateway.newAccount();
      const passes: string[] = [];
      for (const name of ['a', 'b']) {
        const created = await gateway.send<{ id: string }>('POST', '/v1/passes', { token, body: { name, tools: '*' } });
        passes.push(created.body.id);
      }
      const [passId = '', other = ''] = passes;
      const wish = { consumerId: accountId, toolId: plain };
      const own: string[] = [];
      for (const hoursAgo of [30, 24, 3, 2, 1, 0]) {
        const occurredAtMs = gateway.clock.now() - hoursAgo * hourMs;
        await putCountedEvent(gateway.owner, { ...wish, occurredAtMs, passId: other });
        await putCountedEvent(gateway.owner, { ...wish, occurredAtMs });
        own.push(await putCountedEvent(gateway.owner, { ...wish, occurredAtMs, passId }));
      }
      const idsOf = (page: Page) => page.events.map(({ event_id: id }) => id);
      const possible = own.slice(1).toReversed(); // none is more than a day older than its pass
      const page = await list({ accountId, token }, `?pass_id=${passId}&limit=2`);
      expect(idsOf(page)).toEqual(possible.slice(0, 2));
      expect(page.events[0]?.pass_id).toBe(passId);
      expect(idsOf(await list({ accountId, token }, `?pass_id=${passId}&cursor=${page.next_cursor}`))).toEqual(
        possible.slice(2),
      );
      expect(idsOf(await list(stranger, `?pass_id=${passId}`))).toEqual([]);
      const days = await gateway.owner.query<{ has_index: boolean }>(
        `select exists (select from pg_index x where x.indrelid = i.inhrelid and x.indisvalid
         and pg_get_indexdef(x.indexrelid) like '%(pass_id, occurred_at, event_id) WHERE%') as has_index
       from pg_inherits i where i.inhparent = 'usage.event'::regclass`,
      );
      expect(days.length).toBeGreaterThan(1);
      expect(days.every((day) => day.has_index)).toBe(true);
    });

    it('filters by tool, half-open time, and key', async () => {
      const from = toIso(startMs + 2 * hourMs);
      const to = encodeURIComponent(toIso(startMs + 6 * hourMs).replace('Z', '+00:00'));
      const cases = [
        [`tool_id=${plain}`, [9, 7, 5, 3, 1]],
        [`from=${from}&to=${to}`, [5, 4, 3, 2]],
        ['idempotency_key=key-4', [4]],
        [`idempotency_key=key-4&tool_id=${plain}`, []],
        ['idempotency_key=key-5', []],
        [`from=${from}&to=${from}`, []],
      ] as const;
      for (const [query, hours] of cases)
        expect([query, hoursOf(await list(consumer, `?${query}`))]).toEqual([query, hours]);
    });

    it.each(['', '&role=builder'])('pages without gap or repeat, also where times are equal (%s)', async (role) => {
      const account = await gateway.newAccount();
      const { accountId } = account;
      const tools = [await gateway.newTool({ ownerId: accountId }), await gateway.newTool({ ownerId: accountId })];
      const expected = new Set<string>();
      for (let event = 0; event < 7; event += 1) {
        const wish = { consumerId: accountId, toolId: tools[event % 2] ?? '', occurredAtMs: startMs };
        expected.add(await putCountedEvent(gateway.owner, { ...wish, key: `same-${event}` }));
      }
      const seen: string[] = [];
      for (let page = await list(account, `?limit=2${role}`); ;) {
        seen.push(...page.events.map(({ event_id: id }) => id));
        if (page.next_cursor === null) break;
        page = await list(account, `?limit=2${role}&cursor=${page.next_cursor}`);
      }
      expect(seen).toEqual([...expected].toSorted().toReversed());
    });

    it('shows a builder the calls of its tools: the caller, the metadata that the price sums, and no key', async () => {
      const page = await list(builder, '?role=builder');
      expect(hoursOf(page)).toEqual([8, 6, 4, 2, 0]);
      const shown = { consumer_id: consumer.accountId, tool_id: summing, metadata: { tokens: 8 } };
      expect(page.events[0]).toMatchObject(shown);
      expect(JSON.stringify(page)).not.toMatch(/canary|key-|idempotency_key/);
    });

    it('F72 shows an account nothing else: not as consumer, not by tool, not with the cursor of another account', async () => {
      const cursor = encodeURIComponent((await list(consumer, '?limit=1')).next_cursor ?? '');
      expect((await list(builder)).events).toEqual([]);
      const builders = [`role=builder&tool_id=${summing}`, `role=builder&cursor=${cursor}`];
      for (const query of [`tool_id=${summing}`, ...builders, 'idempotency_key=key-2'])
        expect([query, (await list(stranger, `?${query}`)).events]).toEqual([query, []]);
      const own = (await list(stranger, `?cursor=${cursor}`)).events;
      expect(own.map(({ idempotency_key: key }) => key)).toEqual(['key-0']);
    });
  });

  describe('GET /v1/events 400', () => {
    it.each([
      ['limit=1&limit=2', '/limit'],
      ['cursor=nonsense', '/cursor'],
      ['from=yesterday', '/from'],
      ['from=2026-11-21T12:00:00Z&to=2026-11-21T11:00:00Z', '/to'],
      ['role=builder&idempotency_key=key-2', '/idempotency_key'],
      ['role=builder&pass_id=10000000-0000-4000-8000-000000000000', '/pass_id'],
      ['toolId=a', '/toolId'],
    ])('refuses %s', async (query, pointer) => {
      const page = await list(consumer, `?${query}`);
      expect([page.status, page.code, page.errors?.[0]?.pointer]).toEqual([400, 'invalid_request', pointer]);
    });

    it('F82 refuses wrong escapes, and takes brackets for plain names', async () => {
      expect((await list(consumer, '?tool_id=%ff')).status).toBe(400);
      const { status, errors } = await list(consumer, '?__proto__[x]=1&constructor=2');
      expect([status, errors?.map(({ pointer }) => pointer)]).toEqual([400, ['/__proto__[x]', '/constructor']]);
    });
  });
});

describe('list refused events', () => {
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
});
