import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import { classPathOf, formatStorage, serverProperties, untilClusterAnswers } from '@tollgate/testkit/kafka/kafka-node';

export interface KafkaCluster {
  readonly brokers: readonly KafkaNode[];
  stop(): Promise<void>;
}

interface KafkaNode {
  /** `host:port`. */
  readonly address: string;
  readonly pid: number;
  readonly logFile: string;
  readonly exited: Promise<unknown>;
}

export interface KafkaClusterOptions {
  /** Holds the brokers' data, which the next start finds again. */
  readonly folder: string;
  readonly logFolder: string;
  readonly brokerCount: number;
}

interface Member {
  readonly id: number;
  readonly folder: string;
  readonly port: number;
  readonly controllerPort: number;
}

const clusterId = 'dG9sbGdhdGUtc3RhY2stMQ';
const jvmFlags = ['-Xms256m', '-Xmx512m'];
const startWithinMs = 90_000;
const stopWithinMs = 10_000;

/** Starts Kafka; each node is broker and controller. The ports are free ones and may differ at the next start. */
export async function startKafkaCluster(options: KafkaClusterOptions): Promise<KafkaCluster> {
  const { folder, logFolder, brokerCount } = options;
  refuseOtherCount(folder, brokerCount);
  const classPath = classPathOf(await findKafkaJars());
  const members = await planMembers(folder, brokerCount);
  const nodes: (KafkaNode & { readonly child: ChildService })[] = [];

  async function stop(): Promise<void> {
    await Promise.all(nodes.map(({ child }) => stopBroker(child)));
  }

  try {
    for (const member of members) {
      const properties = join(member.folder, 'server.properties');
      writeFileSync(properties, propertiesOf(member, members));
      if (!existsSync(join(member.folder, 'data', 'meta.properties')))
        await formatStorage({ clusterId, properties, classPath });
      const logFile = join(logFolder, `kafka-${member.id}.log`);
      const args = [...jvmFlags, ...classPath, 'kafka.Kafka', properties];
      const child = startChildService({ command: 'java', args, logFile });
      nodes.push({ address: addressOf(member), pid: child.pid, logFile, exited: child.exited, child });
    }
    await untilClusterAnswers(nodes, startWithinMs);
  } catch (error) {
    await stop();
    throw error;
  }
  return { brokers: nodes, stop };
}

/** Refuses another number of brokers: the first start writes down the list of controllers. */
function refuseOtherCount(folder: string, brokerCount: number): void {
  mkdirSync(folder, { recursive: true });
  const kept = readdirSync(folder).length;
  if (kept > 0 && kept !== brokerCount) {
    throw new Error(`the data folder is that of ${kept} brokers; start it with --brokers ${kept}, or take another`);
  }
}

async function planMembers(folder: string, brokerCount: number): Promise<Member[]> {
  const ports = await findFreePorts(2 * brokerCount);
  return Array.from({ length: brokerCount }, (_, at) => {
    const member = { id: at + 1, folder: join(folder, `broker-${at + 1}`) };
    mkdirSync(member.folder, { recursive: true });
    return { ...member, port: ports[2 * at] ?? 0, controllerPort: ports[2 * at + 1] ?? 0 };
  });
}

/** After SIGTERM a broker hands over and writes its data, so that the next start has nothing to repair. */
async function stopBroker(child: ChildService): Promise<void> {
  child.signal('SIGTERM');
  const patience = new Promise((resolve) => setTimeout(resolve, stopWithinMs).unref());
  await Promise.race([child.exited, patience]);
  await child.destroy();
}

const addressOf = ({ port }: Member): string => `127.0.0.1:${port}`;

function propertiesOf({ id, folder, port, controllerPort }: Member, members: readonly Member[]): string {
  const copies = Math.min(members.length, 3);
  return serverProperties({
    'node.id': id,
    'controller.quorum.voters': members.map((each) => `${each.id}@127.0.0.1:${each.controllerPort}`).join(','),
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': join(folder, 'data'),
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': copies,
    'share.coordinator.state.topic.replication.factor': copies,
    'broker.session.timeout.ms': 3_000, // a killed broker can rejoin after this
    'broker.heartbeat.interval.ms': 500,
  });
}
