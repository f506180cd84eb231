import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();

const clients = 2;
/** Between two calls of a client: what arrives is then much the same whoever else has the machine's two cores. */
const thinkMs = 25;
/** Each way; a flush goes there and back five times. */
const delayMs = 200;
const delayedForMs = 15_000;
/** Of three statements of a flush: it takes longer than the group waits for a sign of life, 10 s, and none more than 5 s. */
const busySeconds = 3.2;
const busyForMs = 36_000;
const catchUpMin = 5;

describeOfMinutes('a database that is slower than what comes in', () => {
  describeKafka('two aggregators', () => {
    let database: TestDatabase;
    let proxy: FaultProxy;
    let shape: KafkaShape;
    let oracle: OracleDatabase;
    let isProven = false;

    beforeAll(async () => {
      database = await testDatabase();
      proxy = await startFaultProxy({ port: Number(new URL(database.ownerUrl).port) });
      const isSlow = (role: string) => role === 'aggregator_worker';
      shape = await openKafkaShape({
        name: 'slow-database',
        urlFor: (role) => (isSlow(role) ? proxy.through(database.urlFor(role)) : database.urlFor(role)),
        ownerUrl: database.ownerUrl,
        partitions: 2,
      });
      oracle = await connectOracleDatabase(database.ownerUrl);
      const services = ['auth', 'billing', 'ingest-gateway', 'aggregator', 'aggregator'] as const;
      await Promise.all(services.map((name) => shape.deployment.add(name)));
    }, 180_000);
    afterAll(async () => {
      await oracle?.end();
      await shape?.destroy(isProven);
      await proxy?.close();
      await database?.drop();
    });

    it('F84 lets the lag grow, throws nobody out, and drains at five times the arrival or faster', async () => {
      const load = await shape.startLoad({ clients, baseUrl: thinking });
      await eventually(async () => (await shape.log.lag(oracle)) < 1_000 && load.answered() > 100, {
        withinMs: 30_000,
      });
      const members = await shape.log.membersOf('aggregator');
      expect(members).toHaveLength(2);

      const before = await moment();
      proxy.delay(delayMs);
      await sleep(delayedForMs);
      const delayed = await shape.log.membersOf('aggregator');
      await keepBusy();
      await sleep(busyForMs);
      const busy = await shape.log.membersOf('aggregator');
      const after = await moment();
      const arrivalPerSecond = rate(before, after, 'arrived');
      expect(after.lag - before.lag).toBeGreaterThan(arrivalPerSecond * 10);
      expect([delayed, busy]).toEqual([members, members]);

      await oracle.query('drop function public.keep_busy cascade');
      proxy.heal();
      const drainPerSecond = await drain();
      const ratio = drainPerSecond / arrivalPerSecond;
      process.stderr.write(
        `slow database: ${JSON.stringify({ arrivalPerSecond, lag: after.lag, drainPerSecond, ratio })}\n`,
      );
      const { unknown } = await expectCountedOnce(shape, 'slow database');
      expect(unknown).toBe(0);
      expect(ratio).toBeGreaterThanOrEqual(catchUpMin);
      expect(await shape.log.membersOf('aggregator')).toEqual(members);
      isProven = true;
    }, 240_000);

    async function thinking(): Promise<string> {
      await sleep(thinkMs);
      return shape.deployment.router.baseUrl;
    }

    async function keepBusy(): Promise<void> {
      await oracle.query(`create function public.keep_busy() returns trigger language plpgsql as
        $$ begin perform pg_sleep(${busySeconds}); return null; end $$`);
      await oracle.query('create trigger keep_busy before update on usage.cursor execute function keep_busy()');
      await oracle.query('create trigger keep_busy before insert on usage.rollup execute function keep_busy()');
      await oracle.query(`create constraint trigger keep_commit_busy after update on usage.cursor deferrable initially deferred
        for each row execute function keep_busy()`);
    }

    /** Until what had arrived when the database was well again is counted; more arrives all the while. */
    async function drain(): Promise<number> {
      const from = await moment();
      const isDrained = async () => (await moment()).counted >= from.arrived;
      await eventually(isDrained, { withinMs: 60_000, everyMs: 50 });
      return rate(from, await moment(), 'counted');
    }

    async function moment() {
      const lag = await shape.log.lag(oracle);
      const arrived = await shape.log.length();
      return { lag, arrived, counted: arrived - lag, atMs: systemClock.monotonicMs() };
    }
  });
});

type Moment = Record<'arrived' | 'counted' | 'atMs', number>;

/** Per second. */
function rate(from: Moment, to: Moment, what: 'arrived' | 'counted'): number {
  return Math.round(((to[what] - from[what]) * 1_000) / (to.atMs - from.atMs));
}
