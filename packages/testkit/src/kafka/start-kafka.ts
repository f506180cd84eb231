import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { startChildService, type ChildService } from '../child-service.ts';
import { eventually } from '../eventually.ts';
import { startFaultProxy, type FaultProxy } from '../fault-proxy.ts';
import { findKafkaJars } from './kafka-jars.ts';

export interface KafkaBroker {
  /** `host:port`. */
  readonly address: string;
  /** The same broker by way of `proxy`: the addresses that it tells a client lead through the proxy too. */
  readonly proxiedAddress: string;
  readonly proxy: FaultProxy;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGSTOP: its connections stay open, it answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Again, after `kill`, on the same ports and data. Resolves when it answers. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  destroy(): Promise<void>;
}

interface Ports {
  readonly direct: number;
  readonly controller: number;
  readonly proxied: number;
  readonly proxy: number;
}

const clusterId = 'dG9sbGdhdGUtdGVzdHMtMQ';
/** Half the start of the default, a third of its memory; for throughput they are wrong. */
const jvmFlags = ['-Xms128m', '-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const startWithinMs = 60_000;

/** A Kafka of one's own: one node that is broker and controller. Some three seconds. Its data lies below `parentFolder`. */
export async function startKafka(parentFolder: string = runFolder()): Promise<KafkaBroker> {
  const libs = await findKafkaJars();
  const folder = await mkdtemp(join(parentFolder, 'kafka-'));
  const [direct = 0, controller = 0, proxied = 0] = await findFreePorts(3);
  const proxy = await startFaultProxy({ port: proxied, framing: 'kafka' });
  const properties = join(folder, 'server.properties');
  await writeFile(properties, serverProperties(folder, { direct, controller, proxied, proxy: proxy.port }));
  const classPath = ['-cp', `${libs}/*`];
  const format = ['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', properties];
  await promisify(execFile)('java', ['-XX:TieredStopAtLevel=1', ...classPath, ...format]);
  const address = `127.0.0.1:${direct}`;
  let child: ChildService | undefined;

  async function start(): Promise<void> {
    child = startChildService({ command: 'java', args: [...jvmFlags, ...classPath, 'kafka.Kafka', properties] });
    await untilItAnswers(address, child);
  }

  async function kill(): Promise<void> {
    await child?.destroy();
    child = undefined;
  }

  async function destroy(): Promise<void> {
    await kill();
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await destroy();
    throw error;
  }
  return {
    address,
    proxiedAddress: `127.0.0.1:${proxy.port}`,
    proxy,
    kill,
    freeze: () => child?.signalGroup('SIGSTOP'),
    thaw: () => child?.signalGroup('SIGCONT'),
    start,
    destroy,
  };
}

/** Below the folder of the test run, which goes with it however it ends. */
function runFolder(): string {
  const keeper = process.env['TOLLGATE_TEST_CLUSTER'];
  return keeper === undefined ? tmpdir() : dirname(keeper);
}

async function untilItAnswers(address: string, child: ChildService): Promise<void> {
  let hasEnded = false;
  void child.exited.then(() => (hasEnded = true));
  const admin = new Kafka({
    brokers: [address],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    connectionTimeout: 500,
  }).admin();
  try {
    const answered = await eventually(
      async () => hasEnded || (await admin.connect(), (await admin.describeCluster()).brokers.length > 0),
      { withinMs: startWithinMs, everyMs: 100 },
    );
    if (hasEnded || !answered) throw new Error('it ended');
  } catch (error) {
    throw new Error(`Kafka did not start; it said:\n${child.output()}`, { cause: error });
  } finally {
    await admin.disconnect();
  }
}

async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const ports = await Promise.all(
    servers.map(async (server) => {
      await once(server, 'listening');
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : 0;
    }),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function serverProperties(folder: string, ports: Ports): string {
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${ports.controller}`,
    listeners: `PLAINTEXT://127.0.0.1:${ports.direct},PROXY://127.0.0.1:${ports.proxied},CONTROLLER://127.0.0.1:${ports.controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${ports.direct},PROXY://127.0.0.1:${ports.proxy}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,PROXY:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': join(folder, 'data'),
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'log.retention.check.interval.ms': 500, // a test of what retention does cannot wait for five minutes
    'log.initial.task.delay.ms': 500,
    'broker.session.timeout.ms': 1_000, // with the default a killed broker is not let in again for nine seconds
    'broker.heartbeat.interval.ms': 100,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
