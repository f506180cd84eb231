import { setTimeout as sleep } from 'node:timers/promises';
import { usageEventsTopic } from '@tollgate/contracts/event-record';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { itWith } from '../it-with.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { describeWithKafkaCluster, openReplicatedShape } from './replicated-shape.ts';

const describeCluster = await describeWithKafkaCluster();

const splitForMs = 30_000;

describeOfMinutes('three brokers under load, one of which the others lose', () => {
  describeCluster('while clients reach all of them', () => {
    const it = itWith(async (undo) => {
      const shape = await openReplicatedShape({ name: 'split-brokers', clients: 2 }, undo);
      await shape.goesOn();
      return shape;
    });

    it('F18 loses nothing, and counts repeats once, while the lost broker believes for 30 s that it leads', async (shape) => {
      const { cluster } = shape;
      const alone = await cluster.leaderOf(usageEventsTopic, 0);
      alone.isolate();
      const isOver = sleep(splitForMs);
      await shape.goesOn();
      await isOver;
      await shape.goesOn();
      alone.join();
      await cluster.untilInSync(usageEventsTopic);
      await shape.goesOn();
      await expectCountedOnce(shape, 'split brokers');
    }, 240_000);
  });
});
