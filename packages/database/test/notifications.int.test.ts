import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { startFaultProxy } from '@tollgate/testkit/fault-proxy';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createNotifications } from '../src/notifications.ts';

const log = createLogger({ name: 'test', level: 'silent' });
let test: TestDatabase;
let owner: OracleDatabase;
beforeAll(async () => {
  test = await testDatabase();
  owner = await connectOracleDatabase(test.ownerUrl);
});
afterAll(async () => {
  await owner.end();
  await test.drop();
});

it('hears what is sent, on channels named before and after its start', async () => {
  const notifications = createNotifications({ url: test.ownerUrl, log });
  const heard: string[] = [];
  notifications.on('early', (payload) => heard.push(`early ${payload}`));
  await notifications.start();
  notifications.on('late', (payload) => heard.push(`late ${payload}`));
  await eventually(
    async () => {
      await owner.query("select pg_notify('early', 'a'), pg_notify('late', 'b')");
      return heard.includes('early a') && heard.includes('late b');
    },
    { withinMs: 5_000 },
  );
  await notifications.stop();
});

it('F32 connects again by itself and calls every listener, since it may have missed something', async () => {
  const notifications = createNotifications({ url: test.ownerUrl, log });
  const heard: string[] = [];
  notifications.on('after_loss', (payload) => heard.push(payload));
  await notifications.start();
  await owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'notifications'",
  );
  await eventually(() => heard.length > 0, { withinMs: 5_000 });
  expect(new Set(heard)).toEqual(new Set(['']));
  await owner.query("select pg_notify('after_loss', 'again')");
  await eventually(() => heard.includes('again'), { withinMs: 5_000 });
  await notifications.stop();
});

it('F32 calls every listener again and again while its connection is silent, and hears again afterwards', async () => {
  const proxy = await startFaultProxy({ port: Number(new URL(test.ownerUrl).port) });
  const notifications = createNotifications({ url: proxy.through(test.ownerUrl), log });
  const heard: string[] = [];
  notifications.on('in_silence', (payload) => heard.push(payload));
  await notifications.start();
  proxy.stall();
  await owner.query("select pg_notify('in_silence', 'lost')");
  await eventually(() => heard.length >= 3, { withinMs: 20_000 });
  expect(new Set(heard)).toEqual(new Set(['']));
  proxy.heal();
  await eventually(
    async () => {
      await owner.query("select pg_notify('in_silence', 'again')");
      return heard.includes('again');
    },
    { withinMs: 20_000 },
  );
  await notifications.stop();
  await proxy.close();
});

it('gives up a connection that stays silent, and listens on another', async () => {
  const proxy = await startFaultProxy({ port: Number(new URL(test.ownerUrl).port) });
  const notifications = createNotifications({ url: proxy.through(test.ownerUrl), log });
  const heard: string[] = [];
  notifications.on('half_open', (payload) => heard.push(payload));
  await notifications.start();
  proxy.halfOpen(); // for good: only another connection can hear
  await eventually(
    async () => {
      await owner.query("select pg_notify('half_open', 'again')");
      return heard.includes('again');
    },
    { withinMs: 30_000 },
  );
  await notifications.stop();
  await proxy.close();
});
