import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { usageEventsGroup } from '@tollgate/contracts/events/event-record';
import { leaveForDead, readerIdOf } from '@tollgate/event-log/kafka/leave-for-dead';
import type { Environment } from '@tollgate/runtime/config/load-config';
import { removeAddressFile, writeAddressFile } from '@tollgate/runtime/data-folder/address-file';
import { writeWhole } from '@tollgate/runtime/data-folder/write-whole';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { serviceRoles } from '@tollgate/database/migrate';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import { startKeeper } from '@tollgate/testkit/keeper';
import { untilClusterAnswers, type StartedNode } from '@tollgate/testkit/kafka/kafka-node';
import { startPathRouter, type PathRouter } from '@tollgate/testkit/path-router';
import { findRedisServer } from '@tollgate/testkit/redis/find-redis-server';
import { startServiceProcess, type ServiceName, type ServiceProcess } from '@tollgate/testkit/service-process';
import { standaloneCli } from '@tollgate/testkit/standalone-process';
import { planKafkaCluster } from './kafka-cluster.ts';
import { keepRunning, type Running } from './keep-running.ts';
import { logFileOf } from './log-file-of.ts';
import { startRedis } from './start-redis.ts';
import { nodeOptionsOf } from './node-options.ts';

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
  readonly report: StackReport;
}

/** Called when a part ends before the stack is stopped. Each is started again. */
export interface StackReport {
  ended(part: StackPart, logFile: string): void;
  restarted(part: StackPart): void;
  /** The next attempt follows. */
  failed(name: string, error: unknown): void;
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
  /** As they run now. */
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

const schemaOf = {
  auth: 'auth',
  'ingest-gateway': 'ingest_gateway',
  aggregator: 'aggregator',
  billing: 'billing',
  notifier: 'notifier',
};
/** Longer than a service takes to finish its open requests. */
const stopWithinMs = 12_000;
const kafkaWithinMs = 90_000;
/** How often the edge asks each service whether it is ready. More often would cost an idle machine more than 1 % of a core. */
const askEveryMs = 2_000;

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
  let writeAddresses = (): void => undefined; // until all have started

  async function keep<Part extends Running>(planned: Planned<Part>): Promise<Part> {
    const { name, start, describe } = planned;
    const partOf = (running: Part): StackPart => ({ name, pid: running.pid, ...describe(running) });
    const { first, stop } = await keepRunning<Part>({
      name,
      start,
      onEnded(running) {
        options.report.ended(partOf(running), running.logFile);
        planned.onEnded?.(running);
      },
      onRestarted(running) {
        const part = partOf(running);
        parts.splice(
          parts.findIndex((each) => each.name === name),
          1,
          part,
        );
        writeAddresses();
        planned.onRestarted?.(running);
        options.report.restarted(part);
      },
      onFailed: (error) => options.report.failed(name, error),
    });
    started.push(stop);
    parts.push(partOf(first));
    return first;
  }

  async function stop(): Promise<void> {
    for (const undo of started.toReversed()) await undo();
  }

  try {
    const edge = await startPathRouter({ port, askEveryMs }); // first, so that a taken port is reported at once
    started.push(edge.close);
    const own = { ...options, keep, started, logFolder, edge };
    const servers = await startServers(own);
    await step('Migrations', () => migrate(servers.postgres, options.environment));
    await step('Topics', () => runTollgate('topics', { ...options.environment, ...servers.settings }));
    const services = await startServices(servers, own);
    await step('The edge finds all of them ready', () => Promise.all(services.map((each) => show(each, edge))));
    const databaseUrl = servers.postgres.ownerUrl;
    writeAddresses = () => {
      const addresses = { base_url: edge.baseUrl, database_url: databaseUrl, parts };
      writeWhole(addressFile, `${JSON.stringify(addresses, null, 2)}\n`);
    };
    writeAddresses();
    writeAddressFile(dataDir, { baseUrl: edge.baseUrl, version: readVersion() }); // for the commands of the operator
    started.push(async () => removeAddressFile(dataDir));
    return { baseUrl: edge.baseUrl, parts, addressFile, logFolder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** All packages have the same. */
function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}

interface Planned<Part extends Running> {
  readonly name: string;
  start(attempt: number): Promise<Part>;
  describe(running: Part): Pick<StackPart, 'address' | 'metrics'>;
  onEnded?(running: Part): void;
  onRestarted?(running: Part): void;
}

interface Own extends StackOptions {
  readonly logFolder: string;
  readonly edge: PathRouter;
  /** Starts and lists a part, and starts it again whenever it ends, until the stack is stopped. */
  keep<Part extends Running>(planned: Planned<Part>): Promise<Part>;
  /** Stops what was started; in the order of the starts. */
  readonly started: (() => Promise<unknown>)[];
}

async function startServers(own: Own): Promise<Servers> {
  const { dataDir, log, logFolder, step, keep, started } = own;
  const keeper = startKeeper({ dataDir }); // in case this process is killed
  started.push(keeper.end); // after the proper stop of PostgreSQL
  let port = 0; // the port of the first start: the services know it
  const postgres = await step('PostgreSQL', () =>
    keep({
      name: 'PostgreSQL',
      async start() {
        const running = await startEmbeddedPostgres({ dataDir, log, port });
        ({ port } = running);
        return running;
      },
      describe: () => ({ address: `postgresql://127.0.0.1:${port}/tollgate` }),
    }),
  );
  mkdirSync(logFolder, { recursive: true });
  chmodSync(logFolder, 0o700);
  const brokers = await step(`Kafka, brokers: ${own.brokers}`, () => startKafka(own));
  const [redisPort = 0] = await findFreePorts(1);
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  await step('Redis', () =>
    keep({
      name: 'Redis',
      start: (attempt) => startRedis(redisPort, logFolder, attempt),
      describe: () => ({ address: redisUrl }),
    }),
  );
  const settings = {
    EVENT_LOG: 'kafka',
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_REPLICATION_FACTOR: String(Math.min(brokers.length, 3)),
    REDIS_URL: redisUrl,
  };
  return { postgres, settings };
}

/** Returns the addresses of the brokers. */
async function startKafka({ dataDir, logFolder, brokers, keep }: Own): Promise<readonly string[]> {
  const planned = await planKafkaCluster({ folder: join(dataDir, 'kafka'), logFolder, brokerCount: brokers });
  const nodes: StartedNode[] = [];
  for (const { name, address, start } of planned) {
    const { child } = await keep({ name, start, describe: () => ({ address }) });
    nodes.push({ address, child });
  }
  await untilClusterAnswers(nodes, kafkaWithinMs);
  return planned.map(({ address }) => address);
}

function startServices(servers: Servers, own: Own): Promise<ServiceRun[]> {
  const { gateways, aggregators, step } = own;
  const names: { service: ServiceName; name: string }[] = [
    { service: 'auth', name: 'auth' },
    { service: 'billing', name: 'billing' },
    { service: 'notifier', name: 'notifier' },
    ...numbered('ingest-gateway', gateways),
    ...numbered('aggregator', aggregators),
  ];
  const title = `Services: auth, billing, notifier, gateways: ${gateways}, aggregators: ${aggregators}`;
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

interface ServiceRun extends Running {
  readonly process: ServiceProcess;
}

function startService(
  service: ServiceName,
  name: string,
  { servers, own }: { servers: Servers; own: Own },
): Promise<ServiceRun> {
  const { logFolder, environment, edge } = own;
  return own.keep<ServiceRun>({
    name,
    async start(attempt) {
      const logFile = logFileOf(logFolder, name, attempt);
      const process = await startServiceProcess(service, settingsOf(service, servers, environment), { logFile });
      void process.exited.then(() => edge.remove(process.url));
      return { pid: process.pid, logFile, exited: process.exited, stop: () => endService(process), process };
    },
    describe: ({ process }) => ({ address: process.url, metrics: process.metricsUrl }),
    onEnded(run) {
      if (service === 'aggregator') void leaveGroup(run.pid, servers, own.log);
    },
    onRestarted: (run) => void show(run, edge).catch((error: unknown) => own.report.failed(name, error)),
  });
}

/** The other aggregators need not wait for a dead one. If Kafka is away, too, the group removes it by itself later. */
async function leaveGroup(pid: number, { settings }: Servers, log: Logger): Promise<void> {
  const connection = { brokers: (settings['KAFKA_BROKERS'] ?? '').split(',') };
  const dead = { connection, group: usageEventsGroup, clientId: readerIdOf(pid), log };
  await leaveForDead(dead).catch((error: unknown) =>
    log.warn({ err: error, pid }, 'could not leave for a dead reader'),
  );
}

/** The edge sends requests to the service. */
async function show({ process: { name, url } }: ServiceRun, edge: PathRouter): Promise<void> {
  if (name !== 'aggregator') await edge.add(name, url);
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
    WEBHOOK_ENCRYPTION_SECRET: postgres.rolePassword('WEBHOOK_ENCRYPTION_SECRET'),
    ...(environment['SMTP_URL'] ? { MAIL_SECRET: postgres.rolePassword('MAIL_SECRET') } : {}),
    ...given(environment),
    NODE_OPTIONS: nodeOptionsOf(service, environment['NODE_OPTIONS']),
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
