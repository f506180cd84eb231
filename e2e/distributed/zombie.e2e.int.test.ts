import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { readSeries } from '@tollgate/testkit/read-series';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();

const clients = 2;
const partitions = 2;
/** The statement with which a flush begins to write. */
const isFlush = (request: Buffer) => request.includes('usage.advance_cursor');

describeOfMinutes('an aggregator that sleeps in the middle of a flush', () => {
  describeKafka('until the group has given its partition to another', () => {
    let database: TestDatabase;
    let way: FaultProxy;
    let shape: KafkaShape;
    let zombie: ServiceProcess;
    let oracle: OracleDatabase;
    let isProven = false;

    beforeAll(async () => {
      database = await testDatabase();
      way = await startFaultProxy({ port: Number(new URL(database.ownerUrl).port) });
      shape = await openKafkaShape({
        name: 'zombie',
        urlFor: database.urlFor,
        ownerUrl: database.ownerUrl,
        partitions,
      });
      oracle = await connectOracleDatabase(database.ownerUrl);
      const ofItsOwn = { DATABASE_WORKER_URL: way.through(database.urlFor('aggregator_worker')) };
      const services = ['auth', 'billing', 'ingest-gateway', 'aggregator'] as const;
      [zombie] = await Promise.all([
        shape.deployment.add('aggregator', ofItsOwn),
        ...services.map((name) => shape.deployment.add(name)),
      ]);
    }, 180_000);
    afterAll(async () => {
      zombie?.signalGroup('SIGCONT');
      await oracle?.end();
      await shape?.destroy(isProven);
      await way?.close();
      await database?.drop();
    });

    it('F14 is refused when it wakes up, joins again and counts on', async () => {
      await shape.startLoad({ clients });
      await eventually(async () => (await recordedBy(zombie)) > 100 && (await cursors()).every((at) => at > 0), {
        withinMs: 60_000,
      });
      const members = await shape.log.membersOf('aggregator');
      expect(members).toHaveLength(2);

      await way.hold(isFlush);
      zombie.signalGroup('SIGSTOP');
      const before = await cursors();
      await eventually(async () => (await cursors()).every((at, partition) => at > (before[partition] ?? 0)), {
        withinMs: 60_000,
      });
      expect(await answerToFlush()).toBe('UPDATE 0');
      zombie.signalGroup('SIGCONT');
      await eventually(async () => (await shape.log.membersOf('aggregator')).length === 2, { withinMs: 60_000 });
      const recorded = await recordedBy(zombie);
      await eventually(async () => (await recordedBy(zombie)) > recorded + 100, { withinMs: 60_000 });

      const { unknown } = await expectCountedOnce(shape, 'zombie');
      expect(unknown).toBe(0);
      expect(await shape.log.membersOf('aggregator')).not.toEqual(members);
      isProven = true;
    }, 240_000);

    /** What PostgreSQL says to the flush that was held up, which arrives before the one who sent it wakes up. */
    async function answerToFlush(): Promise<string | undefined> {
      let said: string | undefined;
      const answered = way.changeAnswer(isFlush, (answer) => {
        said = /UPDATE \d+/.exec(answer.toString('latin1'))?.[0];
        return answer;
      });
      way.heal();
      await answered;
      return said;
    }

    async function cursors(): Promise<number[]> {
      const { rows } = await oracle.query<{ next: number }>(
        'select next_offset::int as next from usage.cursor order by partition',
      );
      return rows.map(({ next }) => next);
    }
  });
});

async function recordedBy(aggregator: ServiceProcess): Promise<number> {
  return (await readSeries(aggregator))('tollgate_aggregator_records_total', { outcome: 'recorded' }) ?? 0;
}
