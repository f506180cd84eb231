import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createDatabase } from '@tollgate/database/database';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { testDatabase } from '@tollgate/testkit/postgres';
import { useOnce } from '@tollgate/testkit/use-world';
import { claimDeliveries } from '../src/deliveries/sql-claim-deliveries.ts';
import { countRowsRead } from './support/count-rows-read.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const delivered = 20_000;

/** An endpoint that has had many webhooks, with three that wait. */
const world = useOnce(async () => {
  const database = await testDatabase();
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', maxConnections: 1, log });
  const worker = createDatabase({ url: database.urlFor('notifier_worker'), name: 'worker', maxConnections: 1, log });
  const accountId = await createAuthRows(owner).createAccount();
  const endpointId = randomUUID();
  await owner.query(
    `insert into notify.endpoint (endpoint_id, account_id, url, secret, created_at)
     values ($1, $2, 'https://example.com', '', now())`,
    [endpointId, accountId],
  );
  await owner.query(
    `with event as (
       insert into notify.event (event_id, account_id, type, data, happened_at, stored_at)
       select gen_random_uuid(), $2, 'invoice.paid', '{}', now(), now() from generate_series(1, $3::int) returning event_id
     ), numbered as (select event_id, row_number() over () as number from event)
     insert into notify.delivery (event_id, endpoint_id, status, due_at)
     select event_id, $1, case when number > $4 then 'pending' else 'delivered' end, case when number > $4 then now() end
     from numbered`,
    [endpointId, accountId, delivered + 3, delivered],
  );
  await owner.query('analyze notify.delivery');
  return {
    worker,
    endpointId,
    async stop() {
      await worker.stop();
      await owner.stop();
      await database.drop();
    },
  };
});

it('F384 a claim of webhooks reads none of those that were delivered', async () => {
  const nowMs = systemClock.now() + 1_000;
  const { watched, rowsRead } = countRowsRead(world.worker, 'delivery');
  const bounds = { perEndpointMax: 2, free: 100, freeUntrusted: 100 };
  const claim = () => claimDeliveries(watched, { nowMs, untilMs: nowMs + 60_000, ...bounds });
  expect((await claim()).map(({ endpointId }) => endpointId)).toEqual([world.endpointId, world.endpointId]);
  expect(await claim()).toEqual([]);
  expect(rowsRead()).toBeLessThan(100);
});
