import { expect } from '@jest/globals';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { itWith } from '../it-with.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { describeWithKafkaCluster, openReplicatedShape } from './replicated-shape.ts';
import { untilAllRefused } from './until-all-refused.ts';

const describeCluster = await describeWithKafkaCluster();

describeInTurn(describeCluster)('three brokers, of which two must have each event and two are stopped', () => {
  const it = itWith((undo) => openReplicatedShape({ name: 'lost-replicas', voters: 1 }, undo));

  it('F19 answers 503 with Retry-After and acknowledges nothing, and goes on when they are back', async (shape) => {
    const { cluster, deployment, load } = shape;
    const others = cluster.nodes.slice(1); // the first is the only controller
    await shape.load.goesOn(200);

    await Promise.all(others.map((node) => node.stop()));
    await untilAllRefused(deployment.router, load);
    expect(deployment.first('ingest-gateway').output()).toContain('fewer in-sync replicas than required');

    await Promise.all(others.map((node) => node.start()));
    await shape.load.goesOn(200);
    await expectCountedOnce(shape, 'lost replicas');
  }, 240_000);
});
