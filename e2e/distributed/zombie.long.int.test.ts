import { expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { testDatabase } from '@tollgate/testkit/postgres';
import { readSeries } from '@tollgate/testkit/read-series';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { itWith } from '../it-with.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();

const clients = 2;
const partitions = 2;
const patience = { withinMs: 60_000 };
const services = ['auth', 'billing', 'ingest-gateway', 'aggregator'] as const;
/** A flush begins to write with this statement. */
const isFlush = (request: Buffer) => request.includes('usage.advance_cursor');

describeInTurn(describeKafka)(
  'an aggregator that sleeps in the middle of a flush until the group has given its partition to another',
  () => {
    const it = itWith(async (undo) => {
      const database = await testDatabase();
      undo(() => database.drop());
      const proxy = await startFaultProxy({ port: Number(new URL(database.ownerUrl).port) });
      undo(() => proxy.close());
      const shape = await openKafkaShape({ name: 'zombie', database, partitions, services }, undo);
      const oracle = await connectOracleDatabase(database.ownerUrl);
      undo(() => oracle.end());
      const own = { DATABASE_WORKER_URL: proxy.through(database.urlFor('aggregator_worker')) };
      const zombie = await shape.deployment.add('aggregator', own);
      undo(() => zombie.signalGroup('SIGCONT'));
      return { proxy, shape, oracle, zombie };
    });

    it('F14 is refused when it wakes up, joins again and counts on', async ({ proxy, shape, oracle, zombie }) => {
      await shape.startLoad({ clients });
      const isUnderWay = async () =>
        (await recordedBy(zombie)) > 100 && (await cursorsIn(oracle)).every((at) => at > 0);
      await eventually(isUnderWay, patience);
      const members = await shape.log.membersOf('aggregator');
      expect(members).toHaveLength(2);

      await proxy.hold(isFlush);
      zombie.signalGroup('SIGSTOP');
      const before = await cursorsIn(oracle);
      const haveMoved = async () => (await cursorsIn(oracle)).every((at, partition) => at > (before[partition] ?? 0));
      await eventually(haveMoved, patience);
      expect(await releaseFlush(proxy)).toBe('UPDATE 0');
      zombie.signalGroup('SIGCONT');
      await eventually(async () => (await shape.log.membersOf('aggregator')).length === 2, patience);
      const recorded = await recordedBy(zombie);
      await eventually(async () => (await recordedBy(zombie)) > recorded + 100, patience);

      const { unknown } = await expectCountedOnce(shape, 'zombie');
      expect(unknown).toBe(0);
      expect(await shape.log.membersOf('aggregator')).not.toEqual(members);
    }, 240_000);
  },
);

/** Lets the held flush reach PostgreSQL, before its sender wakes up, and returns PostgreSQL's answer. */
async function releaseFlush(proxy: FaultProxy): Promise<string | undefined> {
  let found: string | undefined;
  const answered = proxy.changeAnswer(isFlush, (answer) => {
    found = /UPDATE \d+/.exec(answer.toString('latin1'))?.[0];
    return answer;
  });
  proxy.heal();
  await answered;
  return found;
}

async function cursorsIn(oracle: OracleDatabase): Promise<number[]> {
  const next = 'select next_offset::int as next from usage.cursor order by partition';
  return (await oracle.query<{ next: number }>(next)).rows.map((row) => row.next);
}

async function recordedBy(aggregator: ServiceProcess): Promise<number> {
  return (await readSeries(aggregator))('tollgate_aggregator_records_total', { outcome: 'recorded' }) ?? 0;
}
