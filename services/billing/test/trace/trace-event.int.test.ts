import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Trace } from '@tollgate/contracts/operator/trace';
import { createEventId, keyedEventId } from '@tollgate/kernel/event-id';
import { eventually } from '@tollgate/testkit/eventually';
import { putEvent, type TestEvent } from '../support/put-event.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

type Answer = Trace & { code: string; detail: string; counted_through: string };

const billing = useBilling();
let builder: TestAccount;
let bob: TestAccount;
let stranger: TestAccount;

const hour = '2026-11-20T10:00:00.000Z';
const countedThrough = '2026-11-21T12:00:00.000Z';

beforeAll(async () => {
  [builder, bob, stranger] = [await billing.newAccount(), await billing.newAccount(), await billing.newAccount()];
  await billing.newTool(builder, { slug: 'search', price: { per_call_usd: '0.6' } });
  await billing.newTool(builder, { slug: 'gratis', price: { currency: 'usd', charges: [] } });
  const tiers = [
    { up_to: '2', unit_price_usd: '0.5' },
    { up_to: null, unit_price_usd: '0.2' },
  ];
  const tokens = { type: 'metadata_sum', key: 'tokens' };
  const charges = [
    { metric: { type: 'calls' }, model: { type: 'graduated', tiers }, free_quantity: '1' },
    { name: 'tokens', metric: tokens, model: { type: 'per_unit', unit_price_usd: '0.0000015' } },
  ];
  await billing.newTool(builder, { slug: 'summary', price: { currency: 'usd', charges } });
  await putWatermark(billing.owner, countedThrough);
});

const put = (account: TestAccount, event: Partial<TestEvent> = {}) =>
  putEvent(billing.owner, { consumerId: account.accountId, tool: 'search', at: hour, ...event });

const get = (account: TestAccount, id: string) =>
  billing.send<Answer>('GET', `/v1/events/${id}/trace`, { token: account.token });

async function traceOf(account: TestAccount, id: string): Promise<Trace> {
  const { status, body, text } = await get(account, id);
  if (status !== 200) throw new Error(text);
  return body;
}

it('F96 shows the consumer the pass that paid for the call, and the builder none', async () => {
  const passId = randomUUID();
  const at = '2026-11-19T10:00:00.000Z';
  const id = await put(bob, { passId, at });
  await put(bob, { at });
  expect(await traceOf(bob, id)).toMatchObject({ pass_id: passId, counted: { calls: 2 }, rated: { charge_usd: 0.6 } });
  expect(await traceOf(builder, id)).toMatchObject({ pass_id: null });
});

describe('GET /v1/events/{event_id}/trace: what it comes to', () => {
  const summary = (at: string, tokens: number) =>
    put(bob, { tool: 'summary', at, metadata: { tokens, note: 'x' }, measures: { tokens: String(tokens) } });

  it('is taken as the last of its hour: free first, then tier by tier', async () => {
    const ids = [
      await summary(hour, 1),
      await summary('2026-11-20T11:00:00.000Z', 1),
      await summary('2026-11-20T12:00:00.000Z', 1),
      await summary('2026-11-20T13:00:00.000Z', 3),
      await summary('2026-11-20T13:30:00.000Z', 2),
    ];
    const charges = await Promise.all(ids.map(async (id) => (await traceOf(bob, id)).rated.charges));
    expect(charges.map((of) => of.map(({ charge_usd: usd }) => usd))).toEqual([
      [0, 0.000002], // 1.5 micro-dollars, to the even one
      [0.5, 0.000001], // 3 in all, less 2
      [0.5, 0.000001], // 4.5 → 4, less 3
      [0.2, 0.000004], // with the other of its hour: 12, less 7.5 → 8 without it
      [0.2, 0.000003], // 12, less 9
    ]);
    const line = { quantity: '8', charge_usd: 0.000012 };
    expect(charges[4]?.[1]).toMatchObject({ name: 'tokens', quantity: '2', unit: 'tokens', line });
  });

  it('of the only call of an hour is what usage says of that hour', async () => {
    const id = await summary('2026-11-20T15:00:00.000Z', 11);
    const query = 'tool_id=summary&from=2026-11-20T15:00:00Z&to=2026-11-20T16:00:00Z&granularity=hour';
    const { body } = await billing.send<{ usage: { charge_usd: number }[] }>('GET', `/v1/usage?${query}`, bob);
    expect((await traceOf(bob, id)).rated.charge_usd).toBe(body.usage[0]?.charge_usd);
  });

  it('is nothing for a call of one’s own tool, a failed call, and a price without charges', async () => {
    for (const [account, event, because] of [
      [builder, {}, 'own_call'],
      [bob, { success: false }, 'failed_call'],
      [bob, { tool: 'gratis' }, 'nothing_to_charge'],
    ] as const) {
      expect(await traceOf(account, await put(account, event))).toMatchObject({
        counted: { calls: 1 },
        rated: { charge_usd: 0, not_billed: because, charges: [] },
        invoice: null,
        payment: { status: 'nothing_to_pay', waits_for: null },
        earning: null,
        payout: null,
      });
    }
  });
});

describe('GET /v1/events/{event_id}/trace: 404', () => {
  it('says how far counting is', async () => {
    const { status, body } = await get(bob, createEventId(billing.clock.now()));
    expect([status, body.code, body.counted_through]).toEqual([404, 'event_not_found', countedThrough]);
  });

  it('never calls an event passed that is counted while it is looked for', async () => {
    const eventId = createEventId(Date.parse(hour));
    let answer: ReturnType<typeof get> | undefined;
    await billing.owner.transaction(async (tx) => {
      await tx.query('lock table usage.cursor in access exclusive mode'); // a reader of the watermark waits
      answer = get(bob, eventId);
      const waiters = "select from pg_locks where not granted and relation = 'usage.cursor'::regclass";
      await eventually(async () => (await tx.query(waiters)).length > 0, { withinMs: 1_500 });
      await put(bob, { eventId });
    });
    expect(await answer).toMatchObject({ status: 200, body: { event_id: eventId } });
  });

  it('F72 is the same for another’s event as for none', async () => {
    const ids = [await put(bob), await put(bob, { key: 'one' }), await put(builder)];
    for (const id of [
      ...ids,
      randomUUID(),
      keyedEventId('', { accountId: stranger.accountId, key: 'none' }),
      'no-id',
    ]) {
      const { status, body } = await get(stranger, id);
      const detail = `The event \`${id}\` is not counted. If it was received after counted_through, it may be soon.`;
      expect({ status, ...body }).toMatchObject({ status: 404, code: 'event_not_found', detail });
    }
    expect((await get(bob, ids[2] ?? '')).status).toBe(404); // a builder's own call, of a consumer of its tool
  });

  it('says of an event whose day is gone what can be said of it', async () => {
    const unkeyed = await put(bob, { at: '2026-11-19T10:00:00.000Z' });
    const keyed = await put(bob, { at: '2026-11-19T10:00:00.000Z', key: 'gone' });
    await billing.owner.query('drop table usage.event_20261119');
    const since = 'Events before 2026-11-20T00:00:00.000Z are not kept any more';
    expect((await get(bob, unkeyed)).body).toMatchObject({ status: 404, detail: expect.stringContaining(since) });
    const missing = await get(bob, keyed);
    expect(missing.body).toMatchObject({ status: 404, code: 'event_not_found', counted_through: expect.any(String) });
    expect(missing.body.detail).toBe(
      `The event of 2026-11-19T10:00:00.000Z was counted: usage and the invoice of 2026-11 still contain it. ${since}.`,
    );
    expect((await get(stranger, keyed)).body.detail).toMatch(/ is not counted\. If/);
  });
});
