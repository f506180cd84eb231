import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '@tollgate/runtime/config/load-config';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { serviceRoles } from '@tollgate/database/migrate';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import { startKeeper } from '@tollgate/testkit/keeper';
import { startPathRouter } from '@tollgate/testkit/path-router';
import { findRedisServer } from '@tollgate/testkit/redis/find-redis-server';
import { startServiceProcess, type ServiceName, type ServiceProcess } from '@tollgate/testkit/service-process';
import { standaloneCli } from '@tollgate/testkit/standalone-process';
import { startKafkaCluster } from './kafka-cluster.ts';
import { startRedis } from './start-redis.ts';

export interface StackOptions {
  /** Holds all data; may be from an earlier stack. */
  readonly dataDir: string;
  /** The port of the base URL; 0 takes a free port. */
  readonly port: number;
  readonly gateways: number;
  readonly aggregators: number;
  readonly brokers: number;
  /** Settings of the services. The stack fills in addresses and listeners. */
  readonly environment: Environment;
  readonly log: Logger;
  readonly step: Step;
  /** Called when a part ends before the stack is stopped. */
  readonly onEnded: (part: StackPart, logFile: string) => void;
}

/** Reports when a step is complete, and how long it took. */
export type Step = <Result>(title: string, work: () => Promise<Result>) => Promise<Result>;

export interface StackPart {
  readonly name: string;
  readonly address: string;
  readonly metrics?: string;
  readonly pid?: number;
}

export interface Stack {
  readonly baseUrl: string;
  readonly parts: readonly StackPart[];
  /** A file with all addresses for programs. The database's has its password, so only its owner may read the file. */
  readonly addressFile: string;
  readonly logFolder: string;
  stop(): Promise<void>;
}

interface Servers {
  readonly postgres: EmbeddedPostgres;
  /** Each service's settings for Kafka and Redis. */
  readonly settings: Readonly<Record<string, string>>;
}

const schemaOf = { auth: 'auth', 'ingest-gateway': 'ingest_gateway', aggregator: 'aggregator', billing: 'billing' };
/** Longer than a service takes to finish its open requests. */
const stopWithinMs = 12_000;

/** Throws an error that names everything missing on this machine. */
export async function refuseLackingMachine(): Promise<void> {
  const lacking: string[] = [];
  await findKafkaJars().catch((error: Error) => lacking.push(error.message));
  await findRedisServer().catch((error: Error) => lacking.push(error.message));
  if (lacking.length > 0) throw new Error(`the distributed shape cannot be started here:\n  ${lacking.join('\n  ')}`);
}

/** Starts the distributed shape: servers, then migrations and topics, then the services behind one base URL. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDir, step, port } = options;
  const parts: StackPart[] = [];
  const started: (() => Promise<unknown>)[] = [];
  const logFolder = join(dataDir, 'logs');
  const addressFile = join(dataDir, 'stack.json');
  const own = { ...options, add, started, logFolder };
  let isStopping = false;

  function add(part: StackPart, { logFile, exited }: Ending): void {
    parts.push(part);
    void exited.then(() => isStopping || options.onEnded(part, logFile));
  }

  async function stop(): Promise<void> {
    isStopping = true;
    for (const undo of started.toReversed()) await undo();
  }

  try {
    const edge = await startPathRouter({ port }); // first, so that a taken port is reported at once
    started.push(edge.close);
    const servers = await startServers(own);
    await step('Migrations', () => migrate(servers.postgres, options.environment));
    await step('Topics', () => runTollgate('topics', { ...options.environment, ...servers.settings }));
    const services = await startServices(servers, own);
    await step('The edge finds all of them ready', () =>
      Promise.all(services.flatMap(({ name, url }) => (name === 'aggregator' ? [] : [edge.add(name, url)]))),
    );
    const databaseUrl = servers.postgres.ownerUrl;
    const addresses = { base_url: edge.baseUrl, database_url: databaseUrl, parts };
    writeFileSync(addressFile, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
    return { baseUrl: edge.baseUrl, parts, addressFile, logFolder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Ending {
  readonly exited: Promise<unknown>;
  readonly logFile: string;
}

interface Own extends StackOptions {
  readonly logFolder: string;
  /** Lists a part and reports its end, unless the stack is being stopped. */
  add(part: StackPart, ending: Ending): void;
  /** Stops what was started; in the order of the starts. */
  readonly started: (() => Promise<unknown>)[];
}

async function startServers({ dataDir, brokers, log, logFolder, step, add, started }: Own): Promise<Servers> {
  const postgres = await step('PostgreSQL', () => startEmbeddedPostgres({ dataDir, log }));
  started.push(postgres.stop);
  const keeper = startKeeper({ dataDir }); // in case this process is killed
  started.push(keeper.end);
  const address = `postgresql://127.0.0.1:${postgres.port}/tollgate`;
  add({ name: 'PostgreSQL', address, pid: postgres.pid }, postgres);
  mkdirSync(logFolder, { recursive: true });
  chmodSync(logFolder, 0o700);

  const folder = join(dataDir, 'kafka');
  const kafka = await step(`Kafka, brokers: ${brokers}`, () =>
    startKafkaCluster({ folder, logFolder, brokerCount: brokers }),
  );
  started.push(kafka.stop);
  for (const [at, broker] of kafka.brokers.entries())
    add({ name: `kafka-${at + 1}`, address: broker.address, pid: broker.pid }, broker);

  const redis = await step('Redis', () => startRedis(logFolder));
  started.push(redis.stop);
  add({ name: 'Redis', address: redis.url, pid: redis.pid }, redis);
  const settings = {
    EVENT_LOG: 'kafka',
    KAFKA_BROKERS: kafka.brokers.map(({ address }) => address).join(','),
    KAFKA_REPLICATION_FACTOR: String(Math.min(brokers, 3)),
    REDIS_URL: redis.url,
  };
  return { postgres, settings };
}

function startServices(servers: Servers, own: Own): Promise<ServiceProcess[]> {
  const { gateways, aggregators, step } = own;
  const names: { service: ServiceName; name: string }[] = [
    { service: 'auth', name: 'auth' },
    { service: 'billing', name: 'billing' },
    ...numbered('ingest-gateway', gateways),
    ...numbered('aggregator', aggregators),
  ];
  const title = `Services: auth, billing, gateways: ${gateways}, aggregators: ${aggregators}`;
  return step(title, async () => {
    const starting = names.map(({ service, name }) => startService(service, name, { servers, own }));
    const outcomes = await Promise.allSettled(starting); // every outcome: a service that started must be stopped
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  });
}

function numbered(service: ServiceName, count: number): { service: ServiceName; name: string }[] {
  return Array.from({ length: count }, (_, at) => ({ service, name: `${service}-${at + 1}` }));
}

async function startService(
  service: ServiceName,
  name: string,
  { servers, own }: { servers: Servers; own: Own },
): Promise<ServiceProcess> {
  const logFile = join(own.logFolder, `${name}.log`);
  const running = await startServiceProcess(service, settingsOf(service, servers, own.environment), { logFile });
  const part = { name, address: running.url, metrics: running.metricsUrl, pid: running.pid };
  own.add(part, { logFile, exited: running.exited });
  own.started.push(() => endService(running));
  return running;
}

function settingsOf(service: ServiceName, servers: Servers, environment: Environment): Record<string, string> {
  const { postgres, settings } = servers;
  const schema = schemaOf[service];
  return {
    SANDBOX_CLOCK: 'on', // as in standalone
    HTTP_CONNECTIONS_PER_ADDRESS_MAX: '10000', // the edge is one address for all callers
    // Derived from the data folder's one secret, so that they are the same at the next start.
    AUTH_KEY_ENCRYPTION_SECRET: postgres.rolePassword('AUTH_KEY_ENCRYPTION_SECRET'),
    SANDBOX_WEBHOOK_SECRET: postgres.rolePassword('SANDBOX_WEBHOOK_SECRET'),
    ...given(environment),
    ...settings,
    ...(service === 'aggregator' ? {} : { DATABASE_API_URL: postgres.urlFor(`${schema}_api`) }),
    DATABASE_WORKER_URL: postgres.urlFor(`${schema}_worker`),
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
  };
}

function given(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

async function endService(service: ServiceProcess): Promise<void> {
  service.signal('SIGTERM');
  const patience = new Promise((resolve) => setTimeout(resolve, stopWithinMs).unref());
  await Promise.race([service.exited, patience]);
  await service.destroy();
}

async function migrate(postgres: EmbeddedPostgres, environment: Environment): Promise<void> {
  const passwords = serviceRoles.map((role) => [`${role.toUpperCase()}_PASSWORD`, postgres.rolePassword(role)]);
  await runTollgate('migrate', {
    ...environment,
    DATABASE_URL: postgres.ownerUrl,
    ...(Object.fromEntries(passwords) as Record<string, string>), // pairs of name and password
  });
}

/** Runs a command of the operator. Throws with its output. */
async function runTollgate(command: string, env: Environment): Promise<void> {
  await promisify(execFile)(process.execPath, ['--enable-source-maps', standaloneCli, command], { env }).catch(
    (error: Error & { stderr?: string }) => {
      throw new Error(`\`tollgate ${command}\` failed: ${error.stderr || error.message}`, { cause: error });
    },
  );
}
