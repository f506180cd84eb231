import { Kafka, logLevel } from 'kafkajs';
import { eventually } from '../eventually.ts';
import { findFreePorts } from '../find-free-ports.ts';
import type { ServerProcess } from '../servers/start-server-process.ts';
import type { Settings } from './kafka-node.ts';
import { createNodeSwitch, type NodeSwitch } from './node-switch.ts';
import { startKafkaProcess } from './start-kafka-process.ts';

export interface KafkaCluster {
  readonly nodes: readonly KafkaNode[];
  /** The value of KAFKA_BROKERS. */
  readonly addresses: string;
  leaderOf(topic: string, partition: number): Promise<KafkaNode>;
  /** Resolves when every node has every record of the topic. */
  untilInSync(topic: string): Promise<void>;
  /** Ends all nodes and removes their data. */
  destroy(): Promise<void>;
}

export interface KafkaNode extends ServerProcess {
  /** `host:port` of the listener for clients. */
  readonly address: string;
  /** Separates the node from the other nodes until `join`. Clients still reach all of them. */
  isolate(): void;
  join(): void;
}

export interface KafkaClusterOptions {
  readonly nodes: number;
  /** How many nodes, the first ones, are controllers; all if not given. The cluster needs a majority of them. */
  readonly voters?: number;
}

interface Ports {
  readonly inside: number;
  readonly controller: number;
}

interface Member extends Ports {
  readonly id: number;
  readonly client: number;
  readonly isVoter: boolean;
  /** The ports by which the other nodes reach it. */
  readonly switched: Ports;
}

const clusterId = 'dG9sbGdhdGUtbm9kZXMtMQ';
const jvmFlags = ['-Xms128m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const inSyncWithinMs = 90_000;

/** Starts a Kafka of several nodes as processes, with a network between them that can be cut. Takes ten seconds. */
export async function startKafkaCluster(options: KafkaClusterOptions): Promise<KafkaCluster> {
  const network = createNodeSwitch();
  const members = await planMembers(options, network);
  const started = await Promise.allSettled(members.map((member) => startNode(member, { members, network })));
  const nodes = started.flatMap((node) => (node.status === 'fulfilled' ? [node.value] : []));
  const addresses = members.map(({ client }) => addressOf(client));

  async function destroy(): Promise<void> {
    await Promise.all(nodes.map((node) => node.destroy()));
    await network.close();
  }

  const failed = started.find((node) => node.status === 'rejected');
  if (failed !== undefined) {
    await destroy();
    throw failed.reason;
  }
  return {
    nodes,
    addresses: addresses.join(','),
    async leaderOf(topic, partition) {
      const { leader } = (await partitionsOf(addresses, topic)).find((each) => each.partitionId === partition) ?? {};
      const node = nodes.find((_, at) => members[at]?.id === leader);
      if (node === undefined) throw new Error(`partition ${partition} of ${topic} has no leader`);
      return node;
    },
    async untilInSync(topic) {
      const isInSync = async (): Promise<boolean> =>
        (await partitionsOf(addresses, topic)).every(({ isr }) => isr.length === nodes.length);
      await eventually(isInSync, { withinMs: inSyncWithinMs, everyMs: 100 });
    },
    destroy,
  };
}

async function partitionsOf(brokers: string[], topic: string) {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry: { retries: 2 } }).admin();
  try {
    await admin.connect();
    return (await admin.fetchTopicMetadata({ topics: [topic] })).topics.flatMap(({ partitions }) => partitions);
  } finally {
    await admin.disconnect();
  }
}

interface Neighbours {
  readonly members: readonly Member[];
  readonly network: NodeSwitch;
}

async function startNode(member: Member, { members, network }: Neighbours): Promise<KafkaNode> {
  const address = addressOf(member.client);
  const settings = settingsOf(member, members);
  const server = await startKafkaProcess({ clusterId, settings, jvmFlags, address });
  return { ...server, address, isolate: () => network.isolate(member.id), join: network.join };
}

async function planMembers({ nodes, voters = nodes }: KafkaClusterOptions, network: NodeSwitch): Promise<Member[]> {
  const ports = await findFreePorts(3 * nodes);
  return Promise.all(
    Array.from({ length: nodes }, async (_, at) => {
      const id = at + 1;
      const [client = 0, inside = 0, controller = 0] = ports.slice(3 * at);
      const switched = { inside: await network.open(id, inside), controller: await network.open(id, controller) };
      return { id, client, inside, controller, switched, isVoter: id <= voters };
    }),
  );
}

const addressOf = (port: number): string => `127.0.0.1:${port}`;

function settingsOf(
  { id, client, inside, controller, switched, isVoter }: Member,
  members: readonly Member[],
): Settings {
  const copies = members.length;
  const voters = members.filter((each) => each.isVoter);
  const listeners = [`CLIENT://${addressOf(client)}`, `INSIDE://${addressOf(inside)}`];
  const advertised = [`CLIENT://${addressOf(client)}`, `INSIDE://${addressOf(switched.inside)}`];
  if (isVoter) {
    listeners.push(`CONTROLLER://${addressOf(controller)}`);
    advertised.push(`CONTROLLER://${addressOf(switched.controller)}`);
  }
  return {
    'node.id': id,
    'process.roles': isVoter ? 'broker,controller' : 'broker',
    'controller.quorum.voters': voters.map((each) => `${each.id}@${addressOf(each.switched.controller)}`).join(','),
    listeners: listeners.join(','),
    'advertised.listeners': advertised.join(','),
    'inter.broker.listener.name': 'INSIDE',
    'listener.security.protocol.map': 'CLIENT:PLAINTEXT,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.num.partitions': 1,
    'share.coordinator.state.topic.replication.factor': copies,
    'broker.session.timeout.ms': 2_000, // a silent broker counts as dead after this
    'broker.heartbeat.interval.ms': 200,
    'replica.lag.time.max.ms': 3_000, // and so does a replica
    'controller.quorum.election.timeout.ms': 500,
    'controller.quorum.fetch.timeout.ms': 1_000,
  };
}
