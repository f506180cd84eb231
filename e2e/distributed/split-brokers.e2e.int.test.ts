import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, it } from '@jest/globals';
import { usageEventsTopic } from '@tollgate/contracts/event-record';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { expectCountedOnce } from './expect-counted-once.ts';
import { describeWithKafkaCluster, openReplicatedShape, type ReplicatedShape } from './replicated-shape.ts';

const describeCluster = await describeWithKafkaCluster();

const splitForMs = 30_000;

describeOfMinutes('three brokers under load, one of which the others lose', () => {
  describeCluster('while clients reach all of them', () => {
    let shape: ReplicatedShape;
    let isProven = false;

    beforeAll(async () => {
      shape = await openReplicatedShape({ name: 'split-brokers', clients: 2 });
      await shape.goesOn();
    }, 180_000);
    afterAll(() => shape?.destroy(isProven));

    it('F18 loses nothing, and counts once what came twice, through half a minute in which it still believes to lead', async () => {
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
      isProven = true;
    }, 240_000);
  });
});
