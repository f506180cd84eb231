import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { usageEventsTopic } from '@tollgate/contracts/event-record';
import { eventually } from '@tollgate/testkit/eventually';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { describeWithKafkaCluster, openReplicatedShape, type ReplicatedShape } from './replicated-shape.ts';

const describeCluster = await describeWithKafkaCluster();

const splitForMs = 30_000;

describeOfMinutes('three brokers under load, one of which the others lose', () => {
  describeCluster('while clients reach all of them', () => {
    let shape: ReplicatedShape;
    let isProven = false;

    beforeAll(async () => {
      shape = await openReplicatedShape({ name: 'split-brokers', clients: 2 });
      await goesOn();
    }, 180_000);
    afterAll(() => shape?.destroy(isProven));

    it('F18 loses nothing, and counts once what came twice, through half a minute in which it still believes to lead', async () => {
      const { cluster, log } = shape;
      const alone = await cluster.leaderOf(usageEventsTopic, 0);
      alone.isolate();
      const isOver = sleep(splitForMs);
      await goesOn();
      await isOver;
      await goesOn();
      alone.join();
      await cluster.untilInSync(usageEventsTopic);
      await goesOn();
      const { violations, ...figures } = await shape.judge();
      process.stderr.write(`split brokers: ${JSON.stringify({ ...figures, records: await log.length() })}\n`);
      expect(violations).toEqual([]);
      expect(figures).toMatchObject({ lost: 0, doubled: 0, invented: 0 });
      isProven = true;
    }, 240_000);

    /** All of the topic: the gateway sends no further while one of its partitions takes nothing. */
    function goesOn(): Promise<boolean> {
      const from = shape.load.acknowledged();
      return eventually(() => shape.load.acknowledged() > from + 200, { withinMs: 60_000 });
    }
  });
});
