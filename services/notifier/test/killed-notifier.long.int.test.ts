import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import { eventually } from '@tollgate/testkit/eventually';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { startServiceProcess, type ServiceProcess } from '@tollgate/testkit/service-process';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { useOnce } from '@tollgate/testkit/use-world';
import { sealSecret } from '../src/endpoints/webhook-secret.ts';
import { sealedWith, startNotifier } from './support/use-notifier.ts';

const kills = 6;
const box = createSealedBox({ secret: sealedWith, purpose: 'webhook-endpoint' });

const world = useOnce(async () => {
  await buildStandalone();
  return startNotifier({ isIdle: true });
});

function startProcess(): Promise<ServiceProcess> {
  return startServiceProcess('notifier', {
    DATABASE_API_URL: world.database.urlFor('notifier_api'),
    DATABASE_WORKER_URL: world.database.urlFor('notifier_worker'),
    WEBHOOK_ENCRYPTION_SECRET: sealedWith,
    OUTGOING_ALLOW: 'loopback',
  });
}

it('F280 loses nothing and invents nothing when processes are killed at random moments', async () => {
  const random = seededRandom('killed notifiers');
  const ada = await world.newAccount();
  const receiver = await world.receiver((response) => void setTimeout(() => response.writeHead(204).end(), 30));
  await world.registerRow(ada, { url: receiver.url, secret: sealSecret.bind(undefined, box) });
  const told: number[] = [];
  let isTelling = true;
  const telling = (async () => {
    for (let number = 0; isTelling; number += 1) {
      await world.tell(ada.accountId, { data: { number } });
      told.push(number);
      await sleep(10);
    }
  })();
  for (let kill = 0; kill < kills; kill += 1) {
    const service = await startProcess();
    await sleep(random.integer(200, 1_000));
    service.signal('SIGKILL');
    await service.destroy();
    // A claim of the dead ends after a minute. The test does not wait for that.
    await world.owner.query('update notify.delivery set claimed_until = now() where claimed_until > now()');
  }
  isTelling = false;
  await telling;
  const last = await startProcess();
  const numbersReceived = () =>
    receiver.received.map(({ body }) => (JSON.parse(body) as { data: { number: number } }).data.number);
  await eventually(() => new Set(numbersReceived()).size >= told.length, { withinMs: 60_000 });
  await last.destroy();
  expect(new Set(numbersReceived())).toEqual(new Set(told));
  expect(told.length).toBeGreaterThan(50);
}, 240_000);
