import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createKafkaClient } from '@tollgate/runtime/event-log/kafka/connection';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';

export interface KafkaCluster {
  readonly brokers: readonly KafkaNode[];
  stop(): Promise<void>;
}

interface KafkaNode {
  /** `host:port`. */
  readonly address: string;
  readonly pid: number;
}

export interface KafkaClusterOptions {
  /** Of what the brokers keep; found again by the next start. */
  readonly folder: string;
  readonly logFolder: string;
  readonly brokerCount: number;
  readonly log: Logger;
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
const requestTimeoutMs = 5_000;

/** Kafka as one would run it, each node broker and controller; on free ports, which may be others at the next start. */
export async function startKafkaCluster(options: KafkaClusterOptions): Promise<KafkaCluster> {
  const { folder, logFolder, brokerCount, log } = options;
  refuseOtherCount(folder, brokerCount);
  const classPath = ['-cp', `${await findKafkaJars()}/*`];
  const members = await planMembers(folder, brokerCount);
  const nodes: (KafkaNode & { readonly child: ChildService })[] = [];

  async function stop(): Promise<void> {
    await Promise.all(nodes.map(({ child }) => stopBroker(child)));
  }

  try {
    for (const member of members) {
      const properties = join(member.folder, 'server.properties');
      writeFileSync(properties, serverProperties(member, members));
      if (!existsSync(join(member.folder, 'data', 'meta.properties'))) await format(properties, classPath);
      const child = startChildService({
        command: 'java',
        args: [...jvmFlags, ...classPath, 'kafka.Kafka', properties],
        logFile: join(logFolder, `kafka-${member.id}.log`),
      });
      nodes.push({ address: addressOf(member), pid: child.pid, child });
    }
    await untilComplete(nodes, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { brokers: nodes, stop };
}

/** The controllers vote by a list that is written down at the first start. */
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

async function format(properties: string, classPath: readonly string[]): Promise<void> {
  const command = ['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', properties];
  await promisify(execFile)('java', ['-XX:TieredStopAtLevel=1', ...classPath, ...command]);
}

async function untilComplete(nodes: readonly { address: string; child: ChildService }[], log: Logger): Promise<void> {
  let ended: ChildService | undefined;
  for (const { child } of nodes) void child.exited.then(() => (ended ??= child));
  const connection = { brokers: nodes.map(({ address }) => address) };
  const admin = createKafkaClient({ connection, log, retry: { retries: 0 }, requestTimeoutMs }).admin();
  const isComplete = async (): Promise<boolean> => {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length === nodes.length;
  };
  try {
    await eventually(() => ended !== undefined || isComplete(), { withinMs: startWithinMs, everyMs: 100 });
  } finally {
    await admin.disconnect();
  }
  if (ended !== undefined) throw new Error(`Kafka did not start; it said:\n${ended.output()}`);
}

/** Told to end it hands over and writes what it holds, so that the next start has nothing to repair. */
async function stopBroker(child: ChildService): Promise<void> {
  child.signal('SIGTERM');
  const patience = new Promise((resolve) => setTimeout(resolve, stopWithinMs).unref());
  await Promise.race([child.exited, patience]);
  await child.destroy();
}

const addressOf = ({ port }: Member): string => `127.0.0.1:${port}`;

function serverProperties({ id, folder, port, controllerPort }: Member, members: readonly Member[]): string {
  const copies = Math.min(members.length, 3);
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': id,
    'controller.quorum.voters': members.map((each) => `${each.id}@127.0.0.1:${each.controllerPort}`).join(','),
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': join(folder, 'data'),
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'broker.session.timeout.ms': 3_000, // a killed broker is let in again after so long
    'broker.heartbeat.interval.ms': 500,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port); // of a port, not of a pipe
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
