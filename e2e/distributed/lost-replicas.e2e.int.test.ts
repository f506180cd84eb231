import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { expectCountedOnce } from './expect-counted-once.ts';
import { describeWithKafkaCluster, openReplicatedShape, type ReplicatedShape } from './replicated-shape.ts';
import { untilAllRefused } from './until-all-refused.ts';

const describeCluster = await describeWithKafkaCluster();

describeOfMinutes('three brokers, of which two must have each event', () => {
  describeCluster('and two of which are stopped', () => {
    let shape: ReplicatedShape;
    let isProven = false;

    beforeAll(async () => {
      shape = await openReplicatedShape({ name: 'lost-replicas', clients: 2, voters: 1 });
    }, 180_000);
    afterAll(() => shape?.destroy(isProven));

    it('F19 answers 503 with Retry-After and acknowledges nothing, and goes on by itself when they are back', async () => {
      const { cluster, gateway, load } = shape;
      const others = cluster.nodes.slice(1); // the first is who decides that it leads now
      await eventually(() => load.acknowledged() > 500, { withinMs: 60_000 });

      await Promise.all(others.map((node) => node.stop()));
      const before = await untilAllRefused(shape.deployment.router, load);
      expect(gateway.output()).toContain('fewer in-sync replicas than required');

      await Promise.all(others.map((node) => node.start()));
      await eventually(() => load.acknowledged() > before + 500, { withinMs: 60_000 });
      await expectCountedOnce(shape, 'lost replicas');
      isProven = true;
    }, 240_000);
  });
});
