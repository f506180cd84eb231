import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startChildService, type ChildService } from '../child-service.ts';
import { startFaultProxy, type FaultProxy } from '../fault-proxy.ts';
import { findFreePorts } from '../find-free-ports.ts';
import { findKafkaJars } from './kafka-jars.ts';
import { classPathOf, formatStorage, serverProperties, untilClusterAnswers } from './kafka-node.ts';

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
  await writeFile(properties, propertiesOf(folder, { direct, controller, proxied, proxy: proxy.port }));
  const classPath = classPathOf(libs);
  await formatStorage({ clusterId, properties, classPath });
  const address = `127.0.0.1:${direct}`;
  let child: ChildService | undefined;

  async function start(): Promise<void> {
    child = startChildService({ command: 'java', args: [...jvmFlags, ...classPath, 'kafka.Kafka', properties] });
    await untilClusterAnswers([{ address, child }], startWithinMs);
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

function propertiesOf(folder: string, ports: Ports): string {
  return serverProperties({
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${ports.controller}`,
    listeners: `PLAINTEXT://127.0.0.1:${ports.direct},PROXY://127.0.0.1:${ports.proxied},CONTROLLER://127.0.0.1:${ports.controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${ports.direct},PROXY://127.0.0.1:${ports.proxy}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,PROXY:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': join(folder, 'data'),
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.num.partitions': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'log.retention.check.interval.ms': 500, // a test of what retention does cannot wait for five minutes
    'log.initial.task.delay.ms': 500,
    'broker.session.timeout.ms': 1_000, // with the default a killed broker is not let in again for nine seconds
    'broker.heartbeat.interval.ms': 100,
  });
}
