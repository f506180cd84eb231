import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BuilderEvent, ConsumerEvent } from '@tollgate/contracts/event-answers';
import { hourMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { startGateway, type GatewayUnderTest, type TestAccount } from '../support/gateway-under-test.ts';
import { putCountedEvent } from '../support/put-counted-event.ts';

let gateway: GatewayUnderTest;
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

/** Hours 0 to 9, every second one with the summing tool and a key; the newest is of hour 9. */
beforeAll(async () => {
  gateway = await startGateway();
  [consumer, builder, stranger] = [await gateway.newAccount(), await gateway.newAccount(), await gateway.newAccount()];
  summing = await gateway.newTool({ ownerId: builder.accountId, measures: ['tokens', 'pages'] });
  plain = await gateway.newTool();
  startMs = gateway.clock.now() - 40 * hourMs;
  ids = [];
  for (let hour = 0; hour < 10; hour += 1) {
    const isSumming = hour % 2 === 0;
    ids.push(
      await putCountedEvent(gateway.owner, {
        consumerId: consumer.accountId,
        toolId: isSumming ? summing : plain,
        occurredAtMs: startMs + hour * hourMs,
        metadata: { tokens: hour, secret: `canary-${hour}` },
        durationMs: hour,
        ...(isSumming ? { key: `key-${hour}` } : {}),
      }),
    );
  }
  await putCountedEvent(gateway.owner, {
    consumerId: stranger.accountId,
    toolId: plain,
    occurredAtMs: startMs,
    key: 'key-0',
  });
});
afterAll(() => gateway.stop());

async function list(account: TestAccount, query = ''): Promise<Page & { status: number }> {
  const { status, body } = await gateway.send<Page>('GET', `/v1/events${query}`, { token: account.token });
  return { status, ...body };
}

function hoursOf(page: Page): number[] {
  return page.events.map(({ event_id: id }) => ids.indexOf(id));
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
    });
    expect(page.events[0]?.idempotency_key).toBeNull();
  });

  it('filters by tool, half-open time, and key', async () => {
    const from = toIso(startMs + 2 * hourMs);
    const to = encodeURIComponent(toIso(startMs + 6 * hourMs).replace('Z', '+00:00'));
    expect(hoursOf(await list(consumer, `?tool_id=${plain}`))).toEqual([9, 7, 5, 3, 1]);
    expect(hoursOf(await list(consumer, `?from=${from}&to=${to}`))).toEqual([5, 4, 3, 2]);
    expect(hoursOf(await list(consumer, '?idempotency_key=key-4'))).toEqual([4]);
    expect(hoursOf(await list(consumer, `?idempotency_key=key-4&tool_id=${plain}`))).toEqual([]);
    expect(hoursOf(await list(consumer, '?idempotency_key=key-5'))).toEqual([]);
    expect(hoursOf(await list(consumer, `?from=${from}&to=${from}`))).toEqual([]);
  });

  it.each(['', '&role=builder'])('pages without gap or repeat, also where times are equal (%s)', async (role) => {
    const account = await gateway.newAccount();
    const own = await gateway.newTool({ ownerId: account.accountId });
    const other = await gateway.newTool({ ownerId: account.accountId });
    const expected = new Set<string>();
    for (let event = 0; event < 7; event += 1) {
      const wish = { consumerId: account.accountId, toolId: event % 2 ? own : other, occurredAtMs: startMs };
      expected.add(await putCountedEvent(gateway.owner, { ...wish, key: `same-${event}` }));
    }
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await list(account, `?limit=2${role}${cursor}`);
      seen.push(...page.events.map(({ event_id: id }) => id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual([...expected].toSorted().toReversed());
  });

  it('shows a builder the calls of its tools: who called, of metadata what the price sums, and no key', async () => {
    const page = await list(builder, '?role=builder');
    expect(hoursOf(page)).toEqual([8, 6, 4, 2, 0]);
    expect(page.events[0]).toMatchObject({
      consumer_id: consumer.accountId,
      tool_id: summing,
      metadata: { tokens: 8 },
    });
    expect(JSON.stringify(page)).not.toMatch(/canary|key-|idempotency_key/);
  });

  it('shows nobody anything else: not as consumer, not by tool, not with a cursor of another account', async () => {
    const foreign = await list(consumer, '?limit=1');
    const cursor = encodeURIComponent(foreign.next_cursor ?? '');
    expect((await list(builder)).events).toEqual([]);
    expect((await list(stranger, `?tool_id=${summing}`)).events).toEqual([]);
    expect((await list(stranger, `?role=builder&tool_id=${summing}`)).events).toEqual([]);
    expect((await list(stranger, `?role=builder&cursor=${cursor}`)).events).toEqual([]);
    expect((await list(stranger, '?idempotency_key=key-2')).events).toEqual([]);
    expect((await list(stranger, `?cursor=${cursor}`)).events.map(({ idempotency_key: key }) => key)).toEqual([
      'key-0',
    ]);
  });

  it('answers HEAD with the headers alone', async () => {
    const { status, text } = await gateway.send('HEAD', '/v1/events', { token: consumer.token });
    expect([status, text]).toEqual([200, '']);
  });
});

describe('GET /v1/events 400', () => {
  it.each([
    ['limit=0', '/limit'],
    ['limit=101', '/limit'],
    ['limit=1e1', '/limit'],
    ['limit=1&limit=2', '/limit'],
    ['cursor=nonsense', '/cursor'],
    ['cursor=', '/cursor'],
    ['from=yesterday', '/from'],
    ['to=2026-11-21', '/to'],
    ['from=2026-11-21T12:00:00Z&to=2026-11-21T11:00:00Z', '/to'],
    ['role=operator', '/role'],
    ['role=builder&idempotency_key=key-2', '/idempotency_key'],
    ['tool_id=', '/tool_id'],
    ['tool_id=a%00b', '/tool_id'],
  ])('refuses %s', async (query, pointer) => {
    const page = await list(consumer, `?${query}`);
    expect([page.status, page.code, page.errors?.[0]?.pointer]).toEqual([400, 'invalid_request', pointer]);
  });

  it('F82 refuses bad escapes and survives query bombs', async () => {
    expect((await list(consumer, '?tool_id=%ff')).status).toBe(400);
    const bomb = Array.from({ length: 500 }, (_, index) => `a[${index}][b]=1`).join('&');
    expect((await list(consumer, `?${bomb}`)).status).toBe(200);
    expect((await list(consumer, '?__proto__[x]=1&constructor=2')).status).toBe(200);
  });
});

describe('GET /v1/events 401', () => {
  it('refuses who does not say who calls', async () => {
    expect((await gateway.send('GET', '/v1/events')).status).toBe(401);
  });
});

describe('GET /v1/events 405', () => {
  it('names what is allowed', async () => {
    const { status, headers } = await gateway.send('DELETE', '/v1/events', { token: consumer.token });
    expect([status, headers.get('allow')?.split(', ').toSorted()]).toEqual([405, ['GET', 'HEAD', 'POST']]);
  });
});
