import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import type { ChildService } from '../child-service.ts';
import { eventually } from '../eventually.ts';

export type Settings = Readonly<Record<string, string | number | boolean>>;

/** Of a node that is broker and controller, and of a cluster that need not be safe from the loss of one. */
const everyNode: Settings = {
  'process.roles': 'broker,controller',
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'PLAINTEXT',
  'auto.create.topics.enable': false,
  'transaction.state.log.min.isr': 1,
  'share.coordinator.state.topic.min.isr': 1,
  'group.initial.rebalance.delay.ms': 0,
};

/** The text of a node's server.properties: what is the same for all, and what is its own. */
export function serverProperties(own: Settings): string {
  return Object.entries({ ...everyNode, ...own })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** The same for a container of Kafka's image, which takes its settings from there. */
export function kafkaEnvironment(own: Settings): Record<string, string> {
  const variable = (name: string): string => `KAFKA_${name.toUpperCase().replaceAll('-', '___').replaceAll('.', '_')}`;
  return Object.fromEntries(
    Object.entries({ ...everyNode, ...own }).map(([name, value]) => [variable(name), String(value)]),
  );
}

/** Where Kafka's jars lie, as java's arguments. */
export function classPathOf(libs: string): readonly string[] {
  return ['-cp', `${libs}/*`];
}

/** Before the first start of a node. `properties` is its file. */
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

/** Until they answer as one cluster, of themselves at least. Throws what Kafka said where one ends. */
export async function untilClusterAnswers(nodes: readonly StartedNode[], withinMs: number): Promise<void> {
  let ended: ChildService | undefined;
  for (const { child } of nodes) void child.exited.then(() => (ended ??= child));
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
    const said = ended ?? nodes[0]?.child;
    throw new Error(`Kafka did not start; it said:\n${said?.output()}`, { cause: error });
  } finally {
    await admin.disconnect();
  }
}
