import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { mendKafkajs } from '@tollgate/event-log/kafka/mend-kafkajs';
import { Kafka, logLevel } from 'kafkajs';
import type { ChildService } from '../child-service.ts';
import { eventually } from '../eventually.ts';

export type Settings = Readonly<Record<string, string | number | boolean>>;

/** The settings of a node that is broker and controller, in a cluster that may lose data with a node. */
const everyNode: Settings = {
  'process.roles': 'broker,controller',
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'PLAINTEXT',
  'auto.create.topics.enable': false,
  'transaction.state.log.min.isr': 1,
  'share.coordinator.state.topic.min.isr': 1,
  'group.initial.rebalance.delay.ms': 0,
};

/** Returns the text of a node's server.properties: the settings of every node and its own. */
export function serverProperties(own: Settings): string {
  return Object.entries({ ...everyNode, ...own })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Returns the same settings as environment variables, for a container of Kafka's image. */
export function kafkaEnvironment(own: Settings): Record<string, string> {
  const variable = (name: string): string => `KAFKA_${name.toUpperCase().replaceAll('-', '___').replaceAll('.', '_')}`;
  return Object.fromEntries(
    Object.entries({ ...everyNode, ...own }).map(([name, value]) => [variable(name), String(value)]),
  );
}

/** Java's arguments for the class path of Kafka's jars. */
export function classPathOf(libs: string): readonly string[] {
  return ['-cp', `${libs}/*`];
}

/** Formats a node's storage, which its first start needs. `properties` is the node's file. */
export async function formatStorage(node: {
  readonly clusterId: string;
  readonly properties: string;
  readonly classPath: readonly string[];
}): Promise<void> {
  const command = ['kafka.tools.StorageTool', 'format', '-t', node.clusterId, '-c', node.properties];
  await promisify(execFile)('java', ['-XX:TieredStopAtLevel=1', ...node.classPath, ...command]);
}

export interface StartedNode {
  /** `host:port`. */
  readonly address: string;
  readonly child: ChildService;
}

/** Waits until the nodes answer as one cluster. Throws Kafka's output when a node ends. */
export async function untilClusterAnswers(nodes: readonly StartedNode[], withinMs: number): Promise<void> {
  let ended: ChildService | undefined;
  for (const { child } of nodes) void child.exited.then(() => (ended ??= child));
  mendKafkajs(); // else it warns on the console of whoever starts the cluster
  const admin = new Kafka({
    brokers: nodes.map(({ address }) => address),
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    connectionTimeout: 500,
    requestTimeout: 5_000,
  }).admin();
  const isComplete = async (): Promise<boolean> => {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length >= nodes.length;
  };
  try {
    await eventually(() => ended !== undefined || isComplete(), { withinMs, everyMs: 100 });
    if (ended !== undefined) throw new Error('a node ended');
  } catch (error) {
    const child = ended ?? nodes[0]?.child;
    throw new Error(`Kafka did not start; its output:\n${child?.output()}`, { cause: error });
  } finally {
    await admin.disconnect();
  }
}
