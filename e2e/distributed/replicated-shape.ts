import { eventually } from '@tollgate/testkit/eventually';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import {
  startKafkaCluster,
  type KafkaCluster,
  type KafkaClusterOptions,
} from '@tollgate/testkit/kafka/start-kafka-cluster';
import type { Load } from '@tollgate/testkit/load/start-load';
import { testDatabase } from '@tollgate/testkit/postgres';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';

/** The services under load on three brokers, of which two have each event before it is acknowledged. */
export interface ReplicatedShape extends KafkaShape {
  readonly cluster: KafkaCluster;
  readonly gateway: ServiceProcess;
  readonly load: Load;
  /** Resolves when events are acknowledged of all of the topic: the gateway sends no further while one partition takes nothing. */
  goesOn(): Promise<void>;
}

export const describeWithKafkaCluster = () => describeWhere('a Kafka of several nodes', findKafkaJars);

export interface ReplicatedShapeOptions extends Pick<KafkaClusterOptions, 'voters'> {
  readonly name: string;
  readonly clients: number;
}

export async function openReplicatedShape({ name, clients, voters }: ReplicatedShapeOptions): Promise<ReplicatedShape> {
  const database = await testDatabase();
  const cluster = await startKafkaCluster({ nodes: 3, ...(voters === undefined ? {} : { voters }) });
  const address = cluster.nodes[0]?.address ?? '';
  const shape = await openKafkaShape({
    name,
    urlFor: database.urlFor,
    ownerUrl: database.ownerUrl,
    partitions: 3,
    kafka: { address, brokers: cluster.addresses, replicationFactor: 3, destroy: cluster.destroy },
  });
  const others = ['auth', 'billing', 'aggregator', 'aggregator'] as const;
  const [gateway] = await Promise.all([
    shape.deployment.add('ingest-gateway'),
    ...others.map((service) => shape.deployment.add(service)),
  ]);
  const load = await shape.startLoad({ clients });
  return {
    ...shape,
    cluster,
    gateway,
    load,
    async goesOn() {
      const from = load.acknowledged();
      await eventually(() => load.acknowledged() > from + 200, { withinMs: 60_000 });
    },
    async destroy(isProven) {
      await shape.destroy(isProven);
      await database.drop();
    },
  };
}
