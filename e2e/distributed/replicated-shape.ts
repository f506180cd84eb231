import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import {
  startKafkaCluster,
  type KafkaCluster,
  type KafkaClusterOptions,
} from '@tollgate/testkit/kafka/start-kafka-cluster';
import type { Load } from '@tollgate/testkit/load/start-load';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import type { Undo } from '../it-with.ts';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';

/** The services under load on three brokers. Two of them have each event before it is acknowledged. */
export interface ReplicatedShape extends KafkaShape {
  readonly cluster: KafkaCluster;
  readonly load: Load;
}

export const describeWithKafkaCluster = () => describeWhere('a Kafka of several nodes', findKafkaJars);

type ReplicatedShapeOptions = Pick<KafkaClusterOptions, 'voters'> & { readonly name: string };

export async function openReplicatedShape(options: ReplicatedShapeOptions, undo: Undo): Promise<ReplicatedShape> {
  const { name, ...voters } = options;
  const cluster = await startKafkaCluster({ nodes: 3, ...voters });
  const address = cluster.nodes[0]?.address ?? '';
  const kafka = { address, brokers: cluster.addresses, replicationFactor: 3, destroy: cluster.destroy };
  const services = ['ingest-gateway', 'auth', 'billing', 'aggregator', 'aggregator'] as const;
  const shape = await openKafkaShape({ name, partitions: 3, kafka, services }, undo);
  const load = await shape.startLoad({ clients: 2 });
  return { ...shape, cluster, load };
}
