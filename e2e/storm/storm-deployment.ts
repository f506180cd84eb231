import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { findKafkaPlace } from '@tollgate/testkit/kafka/find-kafka-place';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { startPathRouter, type PathRouter } from '@tollgate/testkit/path-router';
import { startRedis, type RedisServer } from '@tollgate/testkit/redis/start-redis';
import type { ServiceName } from '@tollgate/testkit/service-process';
import { mountLargeDisk, type TestDisk } from '@tollgate/testkit/disks';
import { standaloneCli } from '@tollgate/testkit/standalone-process';
import { startKillablePostgres, type KillablePostgres } from './killable-postgres.ts';
import { superviseService, type SupervisedService } from './supervised-service.ts';

/** The distributed shape: each part is a process of its own, and each connection between two of them can be broken. */
export interface StormDeployment {
  readonly router: PathRouter;
  readonly broker: KafkaBroker;
  /** The disk of Kafka's log, if one could be mounted. */
  readonly logDisk: TestDisk | undefined;
  readonly postgres: KillablePostgres;
  readonly redis: RedisServer;
  /** Proxies: services to Kafka, gateways to PostgreSQL, aggregators to PostgreSQL, gateways to Redis. */
  readonly links: Readonly<Record<'kafka' | 'gatewayPostgres' | 'aggregatorPostgres' | 'redis', FaultProxy>>;
  /** The services by name: ingest-gateway-1, ingest-gateway-2, aggregator-1, aggregator-2, auth, billing. */
  readonly services: ReadonlyMap<string, SupervisedService>;
  /** Adds an aggregator, which runs until it is destroyed. */
  joinAggregator(): SupervisedService;
  destroy(): Promise<void>;
}

const logDiskBytes = 32 * 1024 ** 3;
const startPatienceMs = 60_000;
const aPathOfEach = ['/v1/auth/me', '/v1/events', '/v1/tools'];

const names: readonly (readonly [string, ServiceName])[] = [
  ['auth', 'auth'],
  ['billing', 'billing'],
  ['ingest-gateway-1', 'ingest-gateway'],
  ['ingest-gateway-2', 'ingest-gateway'],
  ['aggregator-1', 'aggregator'],
  ['aggregator-2', 'aggregator'],
];

interface StormDeploymentOptions {
  readonly log: Logger;
  /** Prints a line for the person who runs it. */
  readonly say: (line: string) => void;
}

export async function openStormDeployment(
  folder: string,
  { log, say }: StormDeploymentOptions,
): Promise<StormDeployment> {
  const logFolder = join(folder, 'logs');
  mkdirSync(logFolder);
  chmodSync(folder, 0o711); // root's PostgreSQL runs as another user, who must be able to enter
  const undo: (() => Promise<unknown>)[] = [];

  async function destroy(): Promise<void> {
    for (const each of undo.toReversed()) await each();
  }

  async function started<Part>(starting: Promise<Part>, stop: (part: Part) => Promise<unknown>): Promise<Part> {
    const part = await starting;
    undo.push(() => stop(part));
    return part;
  }
  const proxied = (port: number) => started(startFaultProxy({ port }), (proxy) => proxy.close());

  try {
    const postgres = await started(startKillablePostgres(join(folder, 'data'), log), (server) => server.stop());
    const logDisk = await mountLogDisk(folder, say);
    if (logDisk !== undefined) undo.push(logDisk.destroy);
    const broker = await started(startKafka({ parentFolder: logDisk?.path ?? folder }), (server) => server.destroy());
    const redis = await started(startRedis(), (server) => server.stop());
    const links = {
      kafka: broker.proxy,
      gatewayPostgres: await proxied(postgres.port),
      aggregatorPostgres: await proxied(postgres.port),
      redis: await proxied(Number(new URL(redis.url).port)),
    };
    const shared = {
      EVENT_LOG: 'kafka',
      KAFKA_BROKERS: broker.proxiedAddress,
      KAFKA_REPLICATION_FACTOR: '1',
      REDIS_URL: links.redis.through(redis.url),
      AUTH_KEY_ENCRYPTION_SECRET: 'a secret of the deployment under test',
      SANDBOX_WEBHOOK_SECRET: 'another secret of the deployment under test',
    };
    await promisify(execFile)(process.execPath, [standaloneCli, 'topics'], { env: { ...process.env, ...shared } });
    const router = await started(startPathRouter(), (edge) => edge.close());
    const databaseUrl = (service: ServiceName, role: string): string => {
      const url = postgres.urlFor(`${service.replace('-', '_')}_${role}`);
      if (service === 'aggregator') return links.aggregatorPostgres.through(url);
      return service === 'ingest-gateway' ? links.gatewayPostgres.through(url) : url;
    };
    const open = (name: string, service: ServiceName): SupervisedService => {
      const api = service === 'aggregator' ? {} : { DATABASE_API_URL: databaseUrl(service, 'api') };
      const settings = { ...shared, ...api, DATABASE_WORKER_URL: databaseUrl(service, 'worker') };
      const opened = superviseService({ name, service, settings, router, logFolder });
      undo.push(() => opened.destroy());
      return opened;
    };
    const services = new Map(names.map(([name, service]) => [name, open(name, service)]));
    await Promise.all([...services.values()].map((service) => service.up()));
    await eventually(() => isServedAt(router.baseUrl), { withinMs: startPatienceMs });
    let joined = 0;
    const joinAggregator = () => open(`aggregator-joined-${(joined += 1)}`, 'aggregator');
    return { router, broker, logDisk, postgres, redis, links, services, joinAggregator, destroy };
  } catch (error) {
    await destroy();
    throw error;
  }
}

/** The edge may find a service some time after its start. */
async function isServedAt(baseUrl: string): Promise<boolean> {
  const answers = await Promise.all(aPathOfEach.map((path) => fetch(`${baseUrl}${path}`)));
  return answers.every(({ status }) => status < 500);
}

async function mountLogDisk(folder: string, say: StormDeploymentOptions['say']): Promise<TestDisk | undefined> {
  try {
    if ((await findKafkaPlace()).kind === 'docker') throw new Error('Kafka runs in a container');
    return await mountLargeDisk(folder, { bytes: logDiskBytes });
  } catch (error) {
    say(`no test of a full disk of the log: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
