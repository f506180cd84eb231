import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { startFaultProxy } from '@tollgate/testkit/fault-proxy';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { testDatabase } from '@tollgate/testkit/postgres';
import { itWith } from '../it-with.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();

const clients = 2;
const services = ['auth', 'billing', 'ingest-gateway', 'aggregator', 'aggregator'] as const;
/** A client waits this long between two calls, so that the rate of arrival does not depend on other work of the machine. */
const thinkMs = 25;
/** The delay of each direction; a flush goes to the database and back five times. */
const delayMs = 200;
const delayedForMs = 15_000;
/**
 * The duration of each of three statements of a flush. The flush then takes longer than the 10 s for which the group
 * waits for a sign of life; no statement takes more than 5 s.
 */
const busySeconds = 3.2;
const busyForMs = 36_000;
const catchUpMin = 5;

const keepBusy = `
  create function public.keep_busy() returns trigger language plpgsql as
    $$ begin perform pg_sleep(${busySeconds}); return null; end $$;
  create trigger keep_busy before update on usage.cursor execute function keep_busy();
  create trigger keep_busy before insert on usage.rollup execute function keep_busy();
  create constraint trigger keep_commit_busy after update on usage.cursor deferrable initially deferred
    for each row execute function keep_busy()`;

describeInTurn(describeKafka)('a database that is slower than what comes in to two aggregators', () => {
  const it = itWith(async (undo) => {
    const database = await testDatabase();
    undo(() => database.drop());
    const proxy = await startFaultProxy({ port: Number(new URL(database.ownerUrl).port) });
    undo(() => proxy.close());
    const slowed = {
      ownerUrl: database.ownerUrl,
      urlFor: (role: string) =>
        role === 'aggregator_worker' ? proxy.through(database.urlFor(role)) : database.urlFor(role),
    };
    const shape = await openKafkaShape({ name: 'slow-database', database: slowed, partitions: 2, services }, undo);
    const oracle = await connectOracleDatabase(database.ownerUrl);
    undo(() => oracle.end());
    return { proxy, shape, oracle };
  });

  it('F84 lets the lag grow, expels no member, and drains at five times the arrival or faster', async (opened) => {
    const { proxy, shape, oracle } = opened;
    const { log } = shape;
    const baseUrl = () => sleep(thinkMs, shape.deployment.router.baseUrl);
    const load = await shape.startLoad({ clients, baseUrl });
    await eventually(async () => (await log.lag(oracle)) < 1_000 && load.answered() > 100, { withinMs: 30_000 });
    const members = await log.membersOf('aggregator');
    expect(members).toHaveLength(2);

    const moment = async (): Promise<Moment> => {
      const [lag, arrived] = [await log.lag(oracle), await log.length()];
      return { lag, arrived, counted: arrived - lag, atMs: systemClock.monotonicMs() };
    };
    const before = await moment();
    proxy.delay(delayMs);
    await sleep(delayedForMs);
    const delayed = await log.membersOf('aggregator');
    await oracle.query(keepBusy);
    await sleep(busyForMs);
    const busy = await log.membersOf('aggregator');
    const after = await moment();
    const arrivalPerSecond = ratePerSecond(before, after, 'arrived');
    expect(after.lag - before.lag).toBeGreaterThan(arrivalPerSecond * 10);
    expect([delayed, busy]).toEqual([members, members]);

    const drainPerSecond = await drain(oracle, moment, proxy.heal);
    const ratio = drainPerSecond / arrivalPerSecond;
    const facts = { arrivalPerSecond, lag: after.lag, drainPerSecond, ratio };
    const { unknown } = await expectCountedOnce(shape, 'slow database', facts);
    expect(unknown).toBe(0);
    expect(ratio).toBeGreaterThanOrEqual(catchUpMin);
    expect(await log.membersOf('aggregator')).toEqual(members);
  }, 240_000);
});

type Moment = Record<'lag' | 'arrived' | 'counted' | 'atMs', number>;

/** Heals the database and waits until all that had arrived by then is counted, while more arrives. Counted per second. */
async function drain(oracle: OracleDatabase, moment: () => Promise<Moment>, heal: () => void): Promise<number> {
  await oracle.query('drop function public.keep_busy cascade');
  heal();
  const from = await moment();
  const isDrained = async () => (await moment()).counted >= from.arrived;
  await eventually(isDrained, { withinMs: 60_000, everyMs: 50 });
  return ratePerSecond(from, await moment(), 'counted');
}

function ratePerSecond(from: Moment, to: Moment, what: 'arrived' | 'counted'): number {
  return Math.round(((to[what] - from[what]) * 1_000) / (to.atMs - from.atMs));
}
