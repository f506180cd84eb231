import { startContainer } from '../containers/start-container.ts';
import { startFaultProxy, type FaultProxy } from '../fault-proxy.ts';
import { findFreePorts } from '../find-free-ports.ts';
import type { TestServer } from '../servers/test-server.ts';
import { findKafkaPlace, kafkaImage } from './find-kafka-place.ts';
import { kafkaEnvironment, type Settings } from './kafka-node.ts';
import { startKafkaProcess } from './start-kafka-process.ts';

export interface KafkaBroker extends TestServer {
  /** `host:port`. */
  readonly address: string;
  /** The same broker through `proxy`. The addresses that it announces there lead through the proxy too. */
  readonly proxiedAddress: string;
  readonly proxy: FaultProxy;
}

const clusterId = 'dG9sbGdhdGUtdGVzdHMtMQ';
/** They halve the start-up time and use a third of the memory. They are wrong for throughput. */
const heapFlags = ['-Xms128m', '-Xmx384m'];
const startFlags = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

export interface KafkaOptions {
  /** Holds a process's data; by default a folder below that of the test run. */
  readonly parentFolder?: string;
  /** More settings for server.properties. Clients of the proxy use the listener PROXY. */
  readonly settings?: Settings;
  /** The listener PROXY talks TLS: the proxy cannot tell requests from answers. */
  readonly isEncrypted?: boolean;
}

/** Starts a Kafka for one test: one node, broker and controller. Takes three seconds, in a container five. */
export async function startKafka(options: KafkaOptions = {}): Promise<KafkaBroker> {
  const { parentFolder } = options;
  const place = await findKafkaPlace();
  const host = place.kind === 'docker' ? place.host : '127.0.0.1';
  const [direct = 0, proxied = 0, controller = 0] = await findFreePorts(3);
  const proxy = await startFaultProxy({ host, port: proxied, ...framingOf(options) });
  const address = `${host}:${direct}`;
  const proxiedAddress = `127.0.0.1:${proxy.port}`;
  const jvmFlags = [...heapFlags, ...startFlags];
  const inside = place.kind === 'docker' ? '0.0.0.0' : '127.0.0.1';
  const settings = {
    ...settingsOfTests,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `PLAINTEXT://${inside}:${direct},PROXY://${inside}:${proxied},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://${address},PROXY://${proxiedAddress}`,
    ...options.settings,
  };
  try {
    const server =
      place.kind === 'docker'
        ? await startKafkaContainer(settings, [direct, proxied])
        : await startKafkaProcess({ clusterId, settings, jvmFlags, address, parentFolder });
    const destroy = async (): Promise<void> => {
      await server.destroy();
      await proxy.close();
    };
    return { ...server, address, proxiedAddress, proxy, destroy };
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

function framingOf({ isEncrypted = false }: KafkaOptions): { readonly framing?: 'kafka' } {
  return isEncrypted ? {} : { framing: 'kafka' };
}

const settingsOfTests: Settings = {
  'node.id': 1,
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,PROXY:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'offsets.topic.replication.factor': 1,
  'offsets.topic.num.partitions': 1,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.num.partitions': 1,
  'share.coordinator.state.topic.replication.factor': 1,
  'log.retention.check.interval.ms': 500, // a test of retention cannot wait for five minutes
  'log.initial.task.delay.ms': 500,
  'broker.session.timeout.ms': 1_000, // the default keeps a killed broker out for nine seconds
  'broker.heartbeat.interval.ms': 100,
};

function startKafkaContainer(settings: Settings, ports: readonly number[]): Promise<TestServer> {
  return startContainer({
    image: kafkaImage(),
    environment: {
      ...kafkaEnvironment({ ...settings, 'log.dirs': '/var/lib/kafka/data' }),
      CLUSTER_ID: clusterId,
      KAFKA_HEAP_OPTS: heapFlags.join(' '),
      KAFKA_JVM_PERFORMANCE_OPTS: startFlags.join(' '),
    },
    ports,
    readyLine: 'Kafka Server started',
  });
}
