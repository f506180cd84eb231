import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BuilderEvent, ConsumerEvent } from '@tollgate/contracts/events/event-answers';
import { toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { putCountedEvent } from '../support/put-counted-event.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
let consumer: TestAccount;
let builder: TestAccount;
let stranger: TestAccount;
let summing: string;
let plain: string;
let startMs: number;
let ids: string[];

interface Page {
  events: (ConsumerEvent & BuilderEvent)[];
  total: null;
  has_more: boolean;
  next_cursor: string | null;
  code: string;
  errors?: { pointer: string }[];
}

/** Ten events of the hours 0 to 9; those of the even hours have a key and the summing tool. */
beforeAll(async () => {
  [consumer, builder, stranger] = [await gateway.newAccount(), await gateway.newAccount(), await gateway.newAccount()];
  summing = await gateway.newTool({ ownerId: builder.accountId, measures: ['tokens', 'pages'] });
  plain = await gateway.newTool();
  startMs = gateway.clock.now() - 40 * hourMs;
  ids = [];
  for (let hour = 0; hour < 10; hour += 1) {
    const metadata = { tokens: hour, secret: `canary-${hour}` };
    const wish = { consumerId: consumer.accountId, occurredAtMs: startMs + hour * hourMs, metadata, durationMs: hour };
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

const hoursOf = (page: Page): number[] => page.events.map(({ event_id: id }) => ids.indexOf(id));

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
