import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { usageEventsTopic } from '@tollgate/contracts/event-record';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { expectCountedOnce } from './expect-counted-once.ts';
import { describeWithKafkaCluster, openReplicatedShape, type ReplicatedShape } from './replicated-shape.ts';
import { untilAllRefused } from './until-all-refused.ts';

const describeCluster = await describeWithKafkaCluster();

describeOfMinutes('three brokers under load', () => {
  describeCluster('whose leaders change', () => {
    let shape: ReplicatedShape;
    let isProven = false;

    beforeAll(async () => {
      shape = await openReplicatedShape({ name: 'changing-leaders', clients: 2 });
      await shape.goesOn();
    }, 180_000);
    afterAll(() => shape?.destroy(isProven));

    it('F18 goes on with another leader when that of a partition dies, and when it is back', async () => {
      const { cluster } = shape;
      const leader = await cluster.leaderOf(usageEventsTopic, 0);
      await leader.kill();
      await shape.goesOn();
      expect(await cluster.leaderOf(usageEventsTopic, 0)).not.toBe(leader);
      await leader.start();
      await cluster.untilInSync(usageEventsTopic);
      await shape.goesOn();
    }, 120_000);

    it('F19 answers 503 while two are dead, and with them the most of those who decide who leads, and goes on when they are back', async () => {
      const { cluster, deployment, load } = shape;
      const dead = cluster.nodes.slice(1);
      await Promise.all(dead.map((node) => node.kill()));
      const before = await untilAllRefused(deployment.router, load);
      await Promise.all(dead.map((node) => node.start()));
      await cluster.untilInSync(usageEventsTopic);
      await shape.goesOn();
      expect(load.acknowledged()).toBeGreaterThan(before);
    }, 240_000);

    it('F18 loses nothing, and counts once what came twice, while each is stopped and started again', async () => {
      const { cluster } = shape;
      for (const node of cluster.nodes) {
        await node.stop();
        await shape.goesOn();
        await node.start();
        await cluster.untilInSync(usageEventsTopic);
      }
      await shape.goesOn();
      await expectCountedOnce(shape, 'changing leaders');
      isProven = true;
    }, 240_000);
  });
});
