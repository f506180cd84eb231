import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createDatabase } from '@tollgate/database/database';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { testDatabase } from '@tollgate/testkit/postgres';
import { seededRandom, type SeededRandom } from '@tollgate/testkit/seeded-random';
import { startServiceProcess, type ServiceProcess } from '@tollgate/testkit/service-process';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { useOnce } from '@tollgate/testkit/use-world';
import { Webhook } from 'standardwebhooks';
import { createWebhookSecret, sealSecret } from '../src/endpoints/webhook-secret.ts';
import { startReceiver, type Receiver } from './support/receiver.ts';

/** So many credits are granted; `CHANGES=100000` for a run of an hour at most. */
const changes = Number(process.env['CHANGES'] ?? 2_000);
const senders = 8;
const accounts = 6;
const operatorToken = 'the-operator-of-these-tests-nobody-else';
const sealedWith = 'what seals the secrets of these tests';
const log = createLogger({ name: 'test', level: 'silent' });

interface Subscriber {
  /** Null: the operator. */
  readonly accountId: string | null;
  readonly receiver: Receiver;
  /** The ids of the credits that it was told of, each signature checked by the library when it came: later it is too old. */
  readonly told: ReadonlySet<string>;
  /** The errors of those that were not good. */
  readonly bad: readonly unknown[];
}

const world = useOnce(async () => {
  await buildStandalone();
  const database = await testDatabase();
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', maxConnections: 2, log });
  const subscribers: Subscriber[] = [];
  for (let each = 0; each < accounts; each += 1)
    subscribers.push(await subscribe(await createAuthRows(owner).createAccount()));
  subscribers.push(await subscribe(null));

  /** Its receiver refuses some webhooks when they come for the first time. */
  async function subscribe(accountId: string | null): Promise<Subscriber> {
    const [id, secret] = [randomUUID(), createWebhookSecret()];
    const webhook = new Webhook(secret);
    const seen = new Set<string>();
    const told = new Set<string>();
    const bad: unknown[] = [];
    const receiver = await startReceiver((response, { body, headers }) => {
      try {
        const { type, data } = webhook.verify(body, headers) as { type: string; data: { id: string } };
        expect(type).toBe('credit.granted');
        told.add(data.id);
      } catch (error) {
        bad.push(error);
      }
      const webhookId = String(headers['webhook-id']);
      const isRefused = !seen.has(webhookId) && webhookId.endsWith('00');
      seen.add(webhookId);
      response.writeHead(isRefused ? 500 : 204).end();
    });
    const box = createSealedBox({ secret: sealedWith, purpose: 'webhook-endpoint' });
    await owner.query(
      `insert into notify.endpoint (endpoint_id, account_id, url, types, secret, created_at)
       values ($1, $2, $3, array['credit.granted'], $4, now())`,
      [id, accountId, receiver.url, sealSecret(box, id, secret)],
    );
    return { accountId, receiver, told, bad };
  }

  const start = (name: 'billing' | 'notifier', port: number): Promise<ServiceProcess> =>
    startServiceProcess(name, {
      PORT: String(port),
      DATABASE_API_URL: database.urlFor(`${name}_api`),
      DATABASE_WORKER_URL: database.urlFor(`${name}_worker`),
      OPERATOR_TOKEN: operatorToken,
      ...(name === 'billing' && {
        SANDBOX_WEBHOOK_SECRET: 'what signs the notices of the sandbox here',
        WRITES_PER_SECOND_MAX: '1000000',
      }),
      ...(name === 'notifier' && { WEBHOOK_ENCRYPTION_SECRET: sealedWith, OUTGOING_ALLOW: 'loopback' }),
    });

  return {
    owner,
    subscribers,
    start,
    async stop() {
      for (const { receiver } of subscribers) await receiver.stop();
      await owner.stop();
      await database.drop();
    },
  };
});

/** A service that is killed and started again, at the same port. */
async function mortal(name: 'billing' | 'notifier') {
  const [port = 0] = await findFreePorts(1);
  let service = await world.start(name, port);
  let kills = 0;
  return {
    url: service.url,
    kills: () => kills,
    async kill() {
      service.signal('SIGKILL');
      await service.destroy();
      kills += 1;
      // A claim of the dead ends after a minute. The test does not wait for that.
      if (name === 'notifier')
        await world.owner.query('update notify.delivery set claimed_until = now() where claimed_until > now()');
      service = await world.start(name, port);
    },
    destroy: () => service.destroy(),
  };
}

/** Grants the credit of this number until it is acknowledged: each try has the same key. */
async function grant(url: string, number: number): Promise<void> {
  const accountId = world.subscribers[number % accounts]?.accountId;
  for (;;) {
    const answer = await fetch(`${url}/v1/operator/accounts/${accountId}/credits`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${operatorToken}`,
        'content-type': 'application/json',
        'idempotency-key': `grant-${number}`,
      },
      body: JSON.stringify({ amount_usd: 1, reason: `grant ${number}` }),
    }).catch(() => undefined);
    if (answer?.ok) return;
    if (answer !== undefined && answer.status < 500) throw new Error(await answer.text());
    await sleep(50);
  }
}

type Mortal = Awaited<ReturnType<typeof mortal>>;

async function killAtRandom(services: readonly [Mortal, Mortal], random: SeededRandom, isOver: () => boolean) {
  while (!isOver()) {
    await sleep(random.integer(300, 3_000));
    await random.pick(services).kill();
  }
}

it(
  `F331 tells each of ${changes} changes to each subscriber, and none that did not happen, through kills of both sides`,
  async () => {
    const random = seededRandom('killed changes');
    const services = await Promise.all([mortal('billing'), mortal('notifier')]);
    const [billing, notifier] = services;
    let next = 0;
    let isOver = false;
    const killing = killAtRandom(services, random, () => isOver);
    const sending = Array.from({ length: senders }, async () => {
      while (next < changes) await grant(billing.url, next++);
    });
    try {
      await Promise.all(sending);
    } finally {
      isOver = true;
      await killing;
    }
    const happened = await world.owner.query<{ id: string; account_id: string }>(
      'select credit_id as id, account_id from billing.balance_credit',
    );
    const credits = ({ accountId }: Subscriber) =>
      new Set(happened.filter((each) => accountId === null || each.account_id === accountId).map(({ id }) => id));
    const expected = new Map(world.subscribers.map((each) => [each, credits(each).size]));
    const isTold = (each: Subscriber) => each.told.size >= (expected.get(each) ?? 0);
    await eventually(() => world.subscribers.every(isTold), { withinMs: Math.max(240_000, changes * 10) });
    await Promise.all(services.map((each) => each.destroy()));
    for (const each of world.subscribers) expect([each.bad, each.told]).toEqual([[], credits(each)]);
    expect(happened).toHaveLength(changes);
    process.stderr.write(`${changes} changes, ${billing.kills()} kills of billing, ${notifier.kills()} of notifier\n`);
    expect(billing.kills() + notifier.kills()).toBeGreaterThan(2);
  },
  Math.max(900_000, changes * 50),
);
