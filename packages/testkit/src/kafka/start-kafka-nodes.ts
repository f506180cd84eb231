import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { startChildService, type ChildService } from '../child-service.ts';
import { eventually } from '../eventually.ts';
import { findFreePorts } from '../find-free-ports.ts';
import { findKafkaJars } from './kafka-jars.ts';
import { classPathOf, formatStorage, serverProperties, untilClusterAnswers } from './kafka-node.ts';
import { createNodeSwitch, type NodeSwitch } from './node-switch.ts';

export interface KafkaNodesOptions {
  readonly count: number;
  /** Of server.properties of each, besides where it is and whom it knows. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  /** Whether clients are asked who they are, by SASL SCRAM-SHA-512. */
  readonly asksWho?: boolean;
  /** Where the nodes keep their data, if it matters. */
  readonly dataFolder?: string;
}

export interface KafkaNode {
  /** `host:port` of the clients' door. */
  readonly address: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM: it hands its partitions over first. */
  stop(): Promise<void>;
  /** Again, on the same ports and data. Resolves when it runs, which is before it answers. */
  start(): void;
  /** It and the others no longer reach each other; clients reach all of them. Until `join`. */
  isolate(): void;
  join(): void;
  /** What it has printed since its start. */
  output(): string;
}

export interface KafkaNodes {
  readonly nodes: readonly KafkaNode[];
  /** The clients' doors, as KAFKA_BROKERS. */
  readonly addresses: string;
  /** A door that asks nobody who he is: for tests that change what others may do. */
  readonly insideAddress: string;
  /** Resolves when all nodes are one cluster that answers. */
  untilComplete(): Promise<void>;
  /** Resolves when every node has all that the topic has. */
  untilInSync(topic: string): Promise<void>;
  leaderOf(topic: string, partition: number): Promise<KafkaNode>;
  /** Ends all of them and removes their data. */
  destroy(): Promise<void>;
}

interface Ports {
  readonly client: number;
  readonly inside: number;
  readonly controller: number;
}

interface Member extends Ports {
  readonly id: number;
  /** The way to it that the other nodes take. */
  readonly switched: Pick<Ports, 'inside' | 'controller'>;
}

const clusterId = 'dG9sbGdhdGUtbm9kZXMtMQ';
const jvmFlags = ['-Xms128m', '-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const completeWithinMs = 90_000;

/** Kafka as processes of this machine, each broker and controller, with a network between them that can be cut. */
export async function startKafkaNodes(options: KafkaNodesOptions): Promise<KafkaNodes> {
  const classPath = classPathOf(await findKafkaJars());
  const folder = await mkdtemp(join(options.dataFolder ?? tmpdir(), 'kafka-nodes-'));
  const network = createNodeSwitch();
  const members = await planMembers(options.count, network);
  const nodes: RunningNode[] = [];

  async function destroy(): Promise<void> {
    await Promise.all(nodes.map((node) => node.kill()));
    await network.close();
    await rm(folder, { recursive: true, force: true });
  }

  async function untilComplete(): Promise<void> {
    await untilClusterAnswers(
      nodes.map(({ insideAddress, child }) => ({ address: insideAddress, child: child() })),
      completeWithinMs,
    );
  }

  async function partitionsOf(topic: string) {
    const admin = new Kafka({
      brokers: nodes.map(({ insideAddress }) => insideAddress),
      logLevel: logLevel.NOTHING,
      retry: { retries: 2 },
    }).admin();
    await admin.connect();
    try {
      return (await admin.fetchTopicMetadata({ topics: [topic] })).topics.flatMap(({ partitions }) => partitions);
    } finally {
      await admin.disconnect();
    }
  }

  async function leaderOf(topic: string, partition: number): Promise<KafkaNode> {
    const { leader } = (await partitionsOf(topic)).find(({ partitionId }) => partitionId === partition) ?? {};
    const node = nodes.find((_, at) => members[at]?.id === leader);
    if (node === undefined) throw new Error(`partition ${partition} of ${topic} has no leader`);
    return node;
  }

  async function untilInSync(topic: string): Promise<void> {
    const isInSync = async (): Promise<boolean> =>
      (await partitionsOf(topic)).every(({ isr }) => isr.length === nodes.length);
    await eventually(isInSync, { withinMs: completeWithinMs });
  }

  try {
    for (const member of members) {
      const properties = join(folder, `node-${member.id}.properties`);
      const data = join(folder, `data-${member.id}`);
      await writeFile(properties, propertiesOf(member, members, { ...options, data }));
      await formatStorage({ clusterId, properties, classPath });
      const args = [...jvmFlags, ...classPath, 'kafka.Kafka', properties];
      nodes.push(runNode(member, network, () => startChildService({ command: 'java', args })));
    }
    await untilComplete();
  } catch (error) {
    await destroy();
    throw error;
  }
  return {
    nodes,
    addresses: nodes.map(({ address }) => address).join(','),
    insideAddress: nodes[0]?.insideAddress ?? '',
    untilComplete,
    untilInSync,
    leaderOf,
    destroy,
  };
}

interface RunningNode extends KafkaNode {
  readonly insideAddress: string;
  child(): ChildService;
}

function runNode({ id, client, inside }: Member, network: NodeSwitch, begin: () => ChildService): RunningNode {
  let child = begin();
  return {
    address: addressOf(client),
    insideAddress: addressOf(inside),
    child: () => child,
    kill: () => child.destroy(),
    async stop() {
      child.signal('SIGTERM');
      await child.exited;
      await child.destroy();
    },
    start() {
      child = begin();
    },
    isolate: () => network.isolate(id),
    join: network.join,
    output: () => child.output(),
  };
}

async function planMembers(count: number, network: NodeSwitch): Promise<Member[]> {
  const ports = await findFreePorts(3 * count);
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const id = at + 1;
      const [client = 0, inside = 0, controller = 0] = ports.slice(3 * at);
      const switched = { inside: await network.open(id, inside), controller: await network.open(id, controller) };
      return { id, client, inside, controller, switched };
    }),
  );
}

const addressOf = (port: number): string => `127.0.0.1:${port}`;

function propertiesOf(
  { id, client, inside, controller, switched }: Member,
  members: readonly Member[],
  { settings, asksWho = false, data }: KafkaNodesOptions & { readonly data: string },
): string {
  const copies = members.length;
  const nameOf = 'org.apache.kafka.common.security.scram.ScramLoginModule';
  return serverProperties({
    'node.id': id,
    'controller.quorum.voters': members.map((each) => `${each.id}@${addressOf(each.switched.controller)}`).join(','),
    listeners: `CLIENT://${addressOf(client)},INSIDE://${addressOf(inside)},CONTROLLER://${addressOf(controller)}`,
    'advertised.listeners': `CLIENT://${addressOf(client)},INSIDE://${addressOf(switched.inside)},CONTROLLER://${addressOf(switched.controller)}`,
    'inter.broker.listener.name': 'INSIDE',
    'listener.security.protocol.map': `CLIENT:${asksWho ? 'SASL_PLAINTEXT' : 'PLAINTEXT'},INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT`,
    ...(asksWho
      ? {
          'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
          'listener.name.client.scram-sha-512.sasl.jaas.config': `${nameOf} required;`,
        }
      : {}),
    'log.dirs': data,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.num.partitions': 1,
    'share.coordinator.state.topic.replication.factor': copies,
    'broker.session.timeout.ms': 2_000, // a broker that fell silent is taken for dead then
    'broker.heartbeat.interval.ms': 200,
    'replica.lag.time.max.ms': 3_000, // and so is a replica
    'controller.quorum.election.timeout.ms': 500,
    'controller.quorum.fetch.timeout.ms': 1_000,
    ...settings,
  });
}
