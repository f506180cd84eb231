import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { BuilderEvent, ConsumerEvent } from '@tollgate/contracts/events/event-answers';
import { toIso } from '@tollgate/kernel/clock';
import { createEventId, keyedEventId } from '@tollgate/kernel/event-id';
import { eventually } from '@tollgate/testkit/eventually';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { putCountedEvent } from '../support/put-counted-event.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
let consumer: TestAccount;
let builder: TestAccount;
let stranger: TestAccount;
let ids: string[];
const passId = randomUUID();

type Answer = ConsumerEvent & BuilderEvent & { code: string; counted_through: string };

beforeAll(async () => {
  [consumer, builder, stranger] = [await gateway.newAccount(), await gateway.newAccount(), await gateway.newAccount()];
  const toolId = await gateway.newTool({ ownerId: builder.accountId, measures: ['tokens'] });
  const occurredAtMs = gateway.clock.now() - 5_000_000;
  const wish = { consumerId: consumer.accountId, toolId, occurredAtMs, metadata: { tokens: 3, secret: 'canary' } };
  const keyed = { ...wish, key: 'my-key', passId };
  ids = [await putCountedEvent(gateway.owner, wish), await putCountedEvent(gateway.owner, keyed)];
});

function get({ token }: TestAccount, id: string) {
  return gateway.send<Answer>('GET', `/v1/events/${id}`, { token });
}

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
