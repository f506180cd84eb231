import { describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createOutgoingFetch } from '@tollgate/runtime/outgoing/create-outgoing-fetch';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { useEach } from '@tollgate/testkit/use-world';
import { createSendWebhook } from '../src/deliveries/send-webhook.ts';
import { claimDeliveries } from '../src/deliveries/sql-claim-deliveries.ts';
import { sealSecret } from '../src/endpoints/webhook-secret.ts';
import { takeOutbox } from '../src/events/sql-take-outbox.ts';
import { arrived } from './support/arrived.ts';
import { answer, hang } from './support/receiver.ts';
import { sealedWith, startNotifier } from './support/use-notifier.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const box = createSealedBox({ secret: sealedWith, purpose: 'webhook-endpoint' });
const idsOf = (received: readonly { headers: Readonly<Record<string, string>> }[]) =>
  received.map(({ headers }) => headers['webhook-id']);

describe('F280 a notifier that dies', () => {
  const world = useEach(() => startNotifier({ isIdle: true }));

  /** A process that does one step and is never heard of again. */
  async function dying<T>(step: (worker: Database) => Promise<T>): Promise<T> {
    const worker = createDatabase({ url: world.database.urlFor('notifier_worker'), name: 'dying', log });
    const result = await step(worker);
    await worker.stop();
    return result;
  }
  const claim = { untilMs: 0, perEndpointMax: 2, free: 10, freeUntrusted: 10 };
  const claimed = () => {
    const nowMs = world.realTime.now();
    return dying((worker) => claimDeliveries(worker, { ...claim, nowMs, untilMs: nowMs + 60_000 }));
  };
  const taken = () =>
    dying((worker) =>
      takeOutbox(worker, { rowsMax: 10, nowMs: world.realTime.now(), mailTypes: [], isRelayed: false }),
    );

  it('loses no event, whichever step was its last: the event is told by the next one', async () => {
    const ada = await world.newAccount();
    const receiver = await world.receiver();
    await world.registerRow(ada, { url: receiver.url, secret: sealSecret.bind(undefined, box) });

    await world.tell(ada.accountId, { type: 'invoice.issued' }); // committed, and not taken
    const first = await world.startBeside();
    await eventually(() => receiver.received.length === 1, { withinMs: 5_000 });
    await first.stop();

    await world.tell(ada.accountId, { type: 'invoice.paid' });
    expect(await taken()).toBe(1);
    const second = await world.startBeside();
    await eventually(() => receiver.received.length === 2, { withinMs: 5_000 });
    await second.stop();

    await world.tell(ada.accountId, { type: 'invoice.voided' });
    await taken();
    expect(await claimed()).toHaveLength(1); // claimed, and not sent
    const third = await world.startBeside();
    world.realTime.advance(61_000);
    await eventually(() => receiver.received.length === 3, { withinMs: 5_000 });
    await third.stop();
    expect(new Set(idsOf(receiver.received)).size).toBe(3);
  });

  it('sends a webhook again whose answer it had not written down, under the same id', async () => {
    const ada = await world.newAccount();
    const receiver = await world.receiver();
    await world.registerRow(ada, { url: receiver.url, secret: sealSecret.bind(undefined, box) });
    await world.tell(ada.accountId);
    await taken();
    const [one] = await claimed();
    if (one === undefined) throw new Error('nothing was claimed');
    const outgoingFetch = createOutgoingFetch({ allowsLoopback: true });
    const sent = await createSendWebhook({ outgoingFetch, box, realTime: world.realTime })(
      one,
      new AbortController().signal,
    );
    expect(sent.status).toBe(204);
    await world.startBeside();
    world.realTime.advance(61_000);
    await eventually(() => receiver.received.length === 2, { withinMs: 5_000 });
    expect(new Set(idsOf(receiver.received)).size).toBe(1);
  });
});

describe('F282 several notifiers', () => {
  const world = useEach(() => startNotifier());

  it('send each webhook once while all of them live, and no endpoint more than two at once', async () => {
    await Promise.all([world.startBeside(), world.startBeside()]);
    const ada = await world.newAccount();
    const receiver = await world.receiver((response) => void setTimeout(() => response.writeHead(204).end(), 20));
    await world.register(ada, { url: receiver.url });
    const events = 150;
    await Promise.all(Array.from({ length: events }, () => world.tell(ada.accountId)));
    await eventually(
      async () => {
        const [row] = await world.owner.query<{ n: number }>(
          "select count(*)::int as n from notify.delivery where status = 'delivered'",
        );
        return row?.n === events;
      },
      { withinMs: 30_000 },
    );
    expect(receiver.received).toHaveLength(events);
    expect(new Set(idsOf(receiver.received)).size).toBe(events);
    expect(receiver.open.most).toBeLessThanOrEqual(2);
  }, 60_000);
});

describe('F283 a thousand dead endpoints', () => {
  const world = useEach(() => startNotifier());

  it('hold up no other: an endpoint that answers is told within 2 s', async () => {
    const [ada, dead] = [await world.newAccount(), await world.newAccount()];
    const receiver = await world.receiver();
    const silent = await world.receiver(hang);
    await world.register(ada, { url: receiver.url });
    await world.tell(ada.accountId);
    await eventually(() => receiver.received.length === 1, { withinMs: 5_000 }); // it has answered before
    for (let each = 0; each < 1_000; each += 1)
      await world.registerRow(dead, { url: silent.url, secret: sealSecret.bind(undefined, box) });
    await world.owner.query('update notify.endpoint set failing_since = now() where url = $1', [silent.url]);
    await world.tell(dead.accountId);
    await eventually(() => silent.open.now >= 64, { withinMs: 10_000 });
    const startedMs = systemClock.monotonicMs();
    for (let each = 2; each <= 6; each += 1) {
      await world.tell(ada.accountId);
      await eventually(() => receiver.received.length === each, { withinMs: 2_000 });
    }
    expect(systemClock.monotonicMs() - startedMs).toBeLessThan(5 * 2_000);
    expect(silent.open.most).toBe(64);
    const fresh = await world.receiver();
    await world.register(ada, { url: fresh.url });
    await world.tell(ada.accountId);
    await eventually(() => fresh.received.length === 1, { withinMs: 15_000 }); // as soon as one of the 64 has had its time
  }, 120_000);
});

describe('F285 an endpoint that fails', () => {
  const world = useEach(() => startNotifier());

  it('is asked for no more than its share, and its failures count for no other endpoint of its account', async () => {
    const ada = await world.newAccount();
    const [good, bad] = [await world.receiver(), await world.receiver(answer(500))];
    await world.register(ada, { url: good.url });
    await world.register(ada, { url: bad.url });
    for (let each = 0; each < 20; each += 1) await world.tell(ada.accountId);
    await eventually(() => good.received.length === 20 && bad.received.length >= 20, { withinMs: 10_000 });
    const rows = await world.owner.query<{ url: string; is_trusted: boolean }>(
      'select url, is_trusted from notify.endpoint',
    );
    expect(Object.fromEntries(rows.map(({ url, is_trusted: isTrusted }) => [url, isTrusted]))).toEqual({
      [good.url]: true,
      [bad.url]: false,
    });
  });
});

describe('F287 an endpoint that leads to this machine', () => {
  const world = useEach(() => startNotifier({ isPublicOnly: true }));

  it('is never called, also if it was registered when that was allowed', async () => {
    const ada = await world.newAccount();
    const receiver = await world.receiver();
    const { port } = new URL(receiver.url);
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])
      await world.registerRow(ada, { url: `https://${host}:${port}/`, secret: sealSecret.bind(undefined, box) });
    await world.tell(ada.accountId);
    const rows = await arrived(async () => {
      const found = await world.owner.query<{ error: string }>('select error from notify.attempt');
      return found.length >= 3 && found;
    });
    for (const { error } of rows) expect(error).toContain('does not lead to the public Internet');
    expect(receiver.connections).toBe(0);
  });
});
