import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import { classPathOf, formatStorage, serverProperties } from '@tollgate/testkit/kafka/kafka-node';
import type { Running } from './keep-running.ts';
import { logFileOf } from './log-file-of.ts';

export interface KafkaBroker extends Running {
  readonly child: ChildService;
}

export interface PlannedBroker {
  /** `kafka-1`, … */
  readonly name: string;
  /** `host:port`, the same at each start. */
  readonly address: string;
  /** Starts the process, and does not wait until it answers: brokers wait for each other. */
  start(attempt: number): Promise<KafkaBroker>;
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
const stopWithinMs = 10_000;

/** Plans Kafka; each node is broker and controller. The ports are free ones and may differ in the next stack. */
export async function planKafkaCluster(options: KafkaClusterOptions): Promise<readonly PlannedBroker[]> {
  const { folder, logFolder, brokerCount } = options;
  refuseOtherCount(folder, brokerCount);
  const classPath = classPathOf(await findKafkaJars());
  const members = await planMembers(folder, brokerCount);
  return members.map((member) => ({
    name: `kafka-${member.id}`,
    address: addressOf(member),
    async start(attempt) {
      const properties = join(member.folder, 'server.properties');
      writeFileSync(properties, propertiesOf(member, members));
      if (!existsSync(join(member.folder, 'data', 'meta.properties')))
        await formatStorage({ clusterId, properties, classPath });
      const logFile = logFileOf(logFolder, `kafka-${member.id}`, attempt);
      const args = [...jvmFlags, ...classPath, 'kafka.Kafka', properties];
      const child = startChildService({ command: 'java', args, logFile });
      return { pid: child.pid, logFile, exited: child.exited, stop: () => stopBroker(child), child };
    },
  }));
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
    'broker.heartbeat.interval.ms': 1_000,
    // Each of these threads wakes up three times per second, in the broker and in the controller. A machine has few cores.
    'num.io.threads': 2,
    'num.network.threads': 2,
  });
}
