import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { itWith } from '../it-with.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { describeWithKafkaCluster, openReplicatedShape } from './replicated-shape.ts';
import { untilAllRefused } from './until-all-refused.ts';

const describeCluster = await describeWithKafkaCluster();

const splitForMs = 30_000;

describeInTurn(describeCluster)('three brokers under load whose leaders change', () => {
  const it = itWith(async (undo) => {
    const shape = await openReplicatedShape({ name: 'changing-leaders' }, undo);
    await shape.load.goesOn(200);
    return shape;
  });

  it('F18 goes on with another leader when that of a partition dies, and when it is back', async (shape) => {
    const { cluster } = shape;
    const leader = await cluster.leaderOf(usageEventsTopic, 0);
    await leader.kill();
    await shape.load.goesOn(200);
    expect(await cluster.leaderOf(usageEventsTopic, 0)).not.toBe(leader);
    await leader.start();
    await cluster.untilInSync(usageEventsTopic);
    await shape.load.goesOn(200);
  }, 120_000);

  it('F19 answers 503 while two brokers and the majority of controllers are dead, and goes on with them', async (shape) => {
    const { cluster, deployment, load } = shape;
    const dead = cluster.nodes.slice(1);
    await Promise.all(dead.map((node) => node.kill()));
    await untilAllRefused(deployment.router, load);
    await Promise.all(dead.map((node) => node.start()));
    await cluster.untilInSync(usageEventsTopic);
    await shape.load.goesOn(200);
  }, 240_000);

  it('F18 goes on while the others have lost the broker that leads, which believes for 30 s that it does', async (shape) => {
    const { cluster } = shape;
    const alone = await cluster.leaderOf(usageEventsTopic, 0);
    alone.isolate();
    const isOver = sleep(splitForMs);
    await shape.load.goesOn(200);
    await isOver;
    await shape.load.goesOn(200);
    alone.join();
    await cluster.untilInSync(usageEventsTopic);
    await shape.load.goesOn(200);
  }, 240_000);

  it('F18 loses nothing, and counts repeats once, while each broker in turn is stopped and started', async (shape) => {
    const { cluster } = shape;
    for (const node of cluster.nodes) {
      await node.stop();
      await shape.load.goesOn(200);
      await node.start();
      await cluster.untilInSync(usageEventsTopic);
    }
    await shape.load.goesOn(200);
    await expectCountedOnce(shape, 'changing leaders');
  }, 240_000);
});
