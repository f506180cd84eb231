import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { dayMs } from '@tollgate/kernel/durations';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { useOnce } from '@tollgate/testkit/use-world';
import { answer, closeMidAnswer, hang, type Received } from './support/receiver.ts';
import { arrived } from './support/arrived.ts';
import { operatorToken, startNotifier, type EndpointBody, type TestAccount } from './support/use-notifier.ts';

const world = useOnce(() => startNotifier());

interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly deliveries: { endpoint_id: string; status: string; attempts: number; next_attempt_at: string | null }[];
}
interface AttemptBody {
  readonly endpoint_id: string;
  readonly number: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

const get = async <Body>({ token }: TestAccount, path: string) => (await world.send<Body>('GET', path, { token })).body;
const eventsOf = async (account: TestAccount, query = '') =>
  (await get<{ webhook_events: EventBody[] }>(account, `/v1/webhook-events${query}`)).webhook_events;
/** A new account has a key, and is told of that before anything else. */
const isOfTheTest = ({ type }: EventBody) => type !== 'api_key.created';
const latestOf = async (account: TestAccount) => {
  const { id } = await arrived(async () => (await eventsOf(account)).find(isOfTheTest));
  return get<EventBody>(account, `/v1/webhook-events/${id}`);
};
const attemptsOf = async (account: TestAccount, eventId: string) =>
  (await get<{ attempts: AttemptBody[] }>(account, `/v1/webhook-events/${eventId}/attempts`)).attempts;
const endpointOf = (account: TestAccount, { id }: EndpointBody) =>
  get<EndpointBody>(account, `/v1/webhook-endpoints/${id}`);
const typesOf = (received: readonly Received[]) =>
  received.map(({ body }) => (JSON.parse(body) as { type: string }).type);

describe('an event', () => {
  it('is told within 2 s, signed, and the owner reads what came of it', async () => {
    const ada = await world.newAccount();
    const receiver = await world.receiver(answer(200, 'thank you'));
    const { id, secret } = await world.register(ada, { url: receiver.url });
    await world.tell(ada.accountId, { type: 'invoice.paid', data: { id: 'an invoice', total_usd: 12.5 } });
    const { body, headers } = await arrived(() => receiver.received[0], 2_000);
    const told = new Webhook(secret).verify(body, headers) as object;
    expect(told).toEqual({
      type: 'invoice.paid',
      timestamp: expect.any(String),
      data: { id: 'an invoice', total_usd: 12.5, version: expect.any(Number) },
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Tollgate-Webhooks' });

    const event = await arrived(async () => {
      const latest = await latestOf(ada);
      return latest.deliveries[0]?.status === 'delivered' && latest;
    }, 2_000);
    expect(event).toMatchObject({ ...told, id: headers['webhook-id'] });
    expect(event.deliveries).toEqual([{ endpoint_id: id, status: 'delivered', attempts: 1, next_attempt_at: null }]);
    expect(await attemptsOf(ada, event.id)).toEqual([
      expect.objectContaining({ endpoint_id: id, number: 1, status: 200, error: null, answer: 'thank you' }),
    ]);
  });

  it('is told to the endpoints of its account that want its type, and to those alone', async () => {
    const [ada, bob] = [await world.newAccount(), await world.newAccount()];
    const [all, paid, foreign] = [await world.receiver(), await world.receiver(), await world.receiver()];
    await world.tell(ada.accountId, { type: 'invoice.issued' });
    await latestOf(ada); // it was taken before there was an endpoint
    await world.register(ada, { url: all.url });
    await world.register(ada, { url: paid.url, types: ['invoice.paid'] });
    await world.register(bob, { url: foreign.url });
    for (const type of ['payout.paid', 'invoice.paid', 'invoice.voided']) await world.tell(ada.accountId, { type });
    await eventually(() => all.received.length === 3 && paid.received.length === 1, { withinMs: 5_000 });
    expect(typesOf(all.received).toSorted()).toEqual(['invoice.paid', 'invoice.voided', 'payout.paid']);
    expect(typesOf(paid.received)).toEqual(['invoice.paid']);
    expect(foreign.received).toEqual([]);
    expect((await eventsOf(bob)).map(({ type }) => type)).toEqual(['api_key.created']); // his own
    expect((await eventsOf(ada, '?type=invoice.issued&limit=1')).map(({ type }) => type)).toEqual(['invoice.issued']);
  });

  it('F281 is never told if its transaction was rolled back', async () => {
    const ada = await world.newAccount();
    const receiver = await world.receiver();
    await world.register(ada, { url: receiver.url });
    const undone = world.owner.transaction(async (tx) => {
      await tx.query('select billing.tell($1, $2, $3::jsonb)', ['invoice.paid', ada.accountId, '{}']);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await world.tell(ada.accountId, { type: 'invoice.voided' });
    await eventually(() => receiver.received.length > 0, { withinMs: 5_000 });
    expect(typesOf(receiver.received)).toEqual(['invoice.voided']);
  });
});

describe('the owner of an endpoint', () => {
  it('tests it, whatever types it wants, and sends an event again', async () => {
    const ada = await world.newAccount();
    const [receiver, beside] = [await world.receiver(), await world.receiver()];
    const { id, secret } = await world.register(ada, { url: receiver.url, types: ['payout.paid'] });
    await world.register(ada, { url: beside.url });
    const { token } = ada;
    const { status, body } = await world.send<EventBody>('POST', `/v1/webhook-endpoints/${id}/test`, { token });
    expect({ status, type: body.type, data: body.data }).toEqual({
      status: 202,
      type: 'webhook.test',
      data: { endpoint_id: id },
    });
    const told = await arrived(() => receiver.received[0], 2_000);
    expect(new Webhook(secret).verify(told.body, told.headers)).toMatchObject({ type: 'webhook.test' });
    expect(told.headers['webhook-id']).toBe(body.id);

    await eventually(async () => (await latestOf(ada)).deliveries[0]?.status === 'delivered', { withinMs: 5_000 });
    const again = await world.send<EventBody>('POST', `/v1/webhook-events/${body.id}/redeliver`, { token });
    expect(again.body.deliveries.map(({ endpoint_id: to, status: now }) => [to, now])).toEqual([[id, 'pending']]);
    await eventually(() => receiver.received.length === 2, { withinMs: 2_000 });
    expect(receiver.received[1]?.headers['webhook-id']).toBe(body.id);
    expect(beside.received).toEqual([]);
  });

  it('does not see the events of others, nor send them', async () => {
    const [ada, bob] = [await world.newAccount(), await world.newAccount()];
    await world.tell(ada.accountId);
    const { id } = await latestOf(ada);
    for (const [method, of] of [
      ['GET', ''],
      ['GET', '/attempts'],
      ['POST', '/redeliver'],
    ] as const)
      expect((await world.send(method, `/v1/webhook-events/${id}${of}`, { token: bob.token })).status).toBe(404);
  });
});

describe('the operator', () => {
  it('registers endpoints of its own, which are told what happens to everybody, and tests and removes them', async () => {
    const token = operatorToken;
    const path = '/v1/operator/webhook-endpoints';
    const receiver = await world.receiver();
    const body = { url: receiver.url, types: ['payout.failed'] };
    const made = await world.send<EndpointBody>('POST', path, { token, body });
    expect(made.status).toBe(201);
    const { id, secret } = made.body;
    const [ada, bob] = [await world.newAccount(), await world.newAccount()];
    for (const { accountId } of [ada, bob]) await world.tell(accountId, { type: 'payout.failed', data: { accountId } });
    await world.tell(ada.accountId, { type: 'payout.paid' });
    await eventually(() => receiver.received.length === 2, { withinMs: 5_000 });
    const told = receiver.received.map((each) => new Webhook(secret).verify(each.body, each.headers));
    expect(new Set(told.map((each) => (each as { data: { accountId: string } }).data.accountId))).toEqual(
      new Set([ada.accountId, bob.accountId]),
    );
    const listed = await world.send<{ total: number }>('GET', path, { token: ada.token });
    expect(listed.status).toBe(404); // nobody else learns that they are there
    expect((await get<{ webhook_endpoints: EndpointBody[] }>(ada, '/v1/webhook-endpoints')).webhook_endpoints).toEqual(
      [],
    );

    const changed = await world.send('PATCH', `${path}/${id}`, { token, body: { description: 'all' } });
    expect(changed.body).toMatchObject({ id, description: 'all', enabled: true });
    const rotated = await world.send<EndpointBody>('POST', `${path}/${id}/rotate-secret`, { token, body: {} });
    expect((await world.send('POST', `${path}/${id}/test`, { token })).status).toBe(202);
    const test = await arrived(() => receiver.received[2]);
    expect(new Webhook(rotated.body.secret).verify(test.body, test.headers)).toMatchObject({ type: 'webhook.test' });
    expect((await world.send('DELETE', `${path}/${id}`, { token })).status).toBe(204);
    expect((await world.send('GET', `${path}/${id}`, { token })).status).toBe(404);
  });
});

describe('F284 a receiver that misbehaves', () => {
  it('costs 15 s and a bounded part of its answer at most; what it refused is sent again', async () => {
    const ada = await world.newAccount();
    const elsewhere = await world.receiver();
    const bad = {
      fails: answer(500, 'no'),
      hangs: hang,
      redirects: answer(307, '', { location: elsewhere.url }),
      closes: closeMidAnswer,
    };
    const large = await world.receiver(answer(200, 'x'.repeat(10_000_000)));
    await world.register(ada, { url: large.url, description: 'large' });
    for (const [description, behave] of Object.entries(bad))
      await world.register(ada, { url: (await world.receiver(behave)).url, description });
    const startedMs = systemClock.monotonicMs();
    await world.tell(ada.accountId);
    const { id } = await latestOf(ada);
    const attempts = await arrived(async () => {
      const found = await attemptsOf(ada, id);
      return new Set(found.map(({ endpoint_id: to }) => to)).size === 5 && found;
    }, 20_000);
    expect(systemClock.monotonicMs() - startedMs).toBeGreaterThan(14_000); // the one that hangs had its time
    const { webhook_endpoints: endpoints } = await get<{
      webhook_endpoints: { id: string; description: string; failing_since: string | null }[];
    }>(ada, '/v1/webhook-endpoints');
    const results = Object.fromEntries(
      endpoints.map((each) => {
        const attempt = attempts.find((one) => one.endpoint_id === each.id);
        return [each.description, [attempt?.status, attempt?.error, each.failing_since !== null]];
      }),
    );
    expect(results).toEqual({
      large: [200, null, false],
      fails: [500, 'The answer was 500.', true],
      hangs: [null, expect.stringContaining('15000 ms'), true],
      redirects: [307, expect.stringContaining('not followed'), true],
      closes: [null, expect.any(String), true],
    });
    expect(attempts.find(({ status }) => status === 200)?.answer).toBe('x'.repeat(1_024));
    expect(elsewhere.received).toEqual([]);
  }, 60_000);

  it('is asked again when it is due, with the same id and a new timestamp, until it succeeds', async () => {
    const ada = await world.newAccount();
    const receiver = await world.receiver(answer(503, '', { 'retry-after': '120' }));
    const endpoint = await world.register(ada, { url: receiver.url });
    await world.tell(ada.accountId);
    await eventually(async () => (await endpointOf(ada, endpoint)).failing_since !== null, { withinMs: 5_000 });
    world.realTime.advance(100_000);
    await world.tell(ada.accountId, { type: 'payout.paid' });
    await eventually(() => receiver.received.length === 2, { withinMs: 5_000 });
    await eventually(async () => (await attemptsOf(ada, (await latestOf(ada)).id)).length === 1, { withinMs: 5_000 });
    expect(typesOf(receiver.received)).toEqual(['invoice.paid', 'payout.paid']); // the first waits as long as it was asked to
    receiver.behave(answer(204));
    world.realTime.advance(130_000);
    await eventually(async () => (await endpointOf(ada, endpoint)).failing_since === null, { withinMs: 5_000 });
    await eventually(() => receiver.received.length === 4, { withinMs: 5_000 });
    const [first, , ...later] = receiver.received;
    const again = later.find(({ headers }) => headers['webhook-id'] === first?.headers['webhook-id']);
    expect(again?.body).toBe(first?.body);
    expect(Number(again?.headers['webhook-timestamp'])).toBeGreaterThan(
      Number(first?.headers['webhook-timestamp']) + 200,
    );
  });

  it('is disabled by a 410, of which the other endpoints of its account hear', async () => {
    const ada = await world.newAccount();
    const [gone, other] = [await world.receiver(answer(410)), await world.receiver()];
    const endpoint = await world.register(ada, { url: gone.url });
    await world.register(ada, { url: other.url, types: ['webhook_endpoint.disabled'] });
    await world.tell(ada.accountId);
    const [told] = await arrived(() => other.received.length > 0 && other.received);
    expect(JSON.parse(told?.body ?? '')).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: { id: endpoint.id, url: gone.url, reason: 'gone' },
    });
    expect(await endpointOf(ada, endpoint)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    const refused = await world.send('POST', `/v1/webhook-endpoints/${endpoint.id}/test`, { token: ada.token });
    expect(refused.status).toBe(409);
  });

  it('is disabled after five days of failures, and what waited goes on when it is enabled again', async () => {
    const ada = await world.newAccount();
    const receiver = await world.receiver(answer(500));
    const endpoint = await world.register(ada, { url: receiver.url });
    await world.tell(ada.accountId);
    await eventually(async () => (await endpointOf(ada, endpoint)).failing_since !== null, { withinMs: 5_000 });
    world.realTime.advance(5 * dayMs);
    await eventually(async () => (await endpointOf(ada, endpoint)).disabled_reason === 'failing', { withinMs: 5_000 });
    const seen = receiver.received.length;
    await world.tell(ada.accountId, { type: 'invoice.voided' }); // nobody is told: it is disabled
    world.realTime.advance(dayMs);
    receiver.behave(answer(204));
    const { token } = ada;
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    await eventually(async () => (await eventsOf(ada, '?type=invoice.voided')).length === 1, { withinMs: 5_000 });
    await world.send('PATCH', path, { token, body: { enabled: true } });
    await eventually(() => receiver.received.length > seen, { withinMs: 5_000 });
    expect(typesOf(receiver.received.slice(seen))).toEqual(['invoice.paid']);
    expect(await endpointOf(ada, endpoint)).toMatchObject({ enabled: true, failing_since: null });

    const missed = await world.send('POST', `${path}/redeliver`, { token, body: { from: '2026-01-01T00:00:00Z' } });
    expect(missed).toMatchObject({ status: 202, body: { redelivered: 3 } }); // its own end, and a key that is older than it
    await eventually(() => typesOf(receiver.received).includes('invoice.voided'), { withinMs: 5_000 });
  });
});
