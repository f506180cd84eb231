import { createAggregator } from '@tollgate/aggregator/service';
import { createAuth } from '@tollgate/auth/service';
import { createBilling } from '@tollgate/billing/service';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import type { EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { createNotifications, sharedNotifications } from '@tollgate/database/notifications';
import { createPostgresEventLog } from '@tollgate/event-log/postgres';
import { createIngestGateway } from '@tollgate/ingest-gateway/service';
import { createNotifier } from '@tollgate/notifier/service';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Environment } from '@tollgate/runtime/config/load-config';
import { connectionBoundsOf } from '@tollgate/runtime/http/serving/bound-connections';
import { createHttpServer, type HttpServer } from '@tollgate/runtime/http/serving/create-http-server';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { openTelemetry } from '@tollgate/runtime/metrics/open-telemetry';
import { createMetricsServer } from '@tollgate/runtime/metrics/serve-metrics';
import { createSandboxClock } from '@tollgate/runtime/sandbox-clock/create-sandbox-clock';

import { createBackupAge } from './backups/create-backup-age.ts';
import type { StandaloneConfig } from './config.ts';
import { createDiskWatch } from './disk/create-disk-watch.ts';
import { readDisk } from './disk/room-file.ts';
import { openDataSecret } from './data-secret.ts';
import { loadServiceConfigs } from './load-configs.ts';
import { mountServices } from './mount-services.ts';
import { readinessOfParts } from './readiness-of-parts.ts';

export interface HostDeps {
  /** The source of the services' settings. */
  readonly environment: Environment;
  readonly dataDir: string;
  readonly clock: Clock;
  /** Each service logs under its own name. */
  readonly logFor: (service: string) => Logger;
  readonly postgres: EmbeddedPostgres;
  /** Called when the counting has failed for good. */
  readonly onFailed: (error: unknown) => void;
}

export type Host = Service & Pick<HttpServer, 'address'>;

/** The five services behind one port. Each has connections and roles of its own; they share the log, one listener and this process. */
export async function createHost(config: StandaloneConfig, deps: HostDeps): Promise<Host> {
  const { dataDir, postgres, logFor, onFailed } = deps;
  const log = logFor('standalone');
  const secrets = {
    auth: openDataSecret(dataDir, 'auth'),
    webhook: openDataSecret(dataDir, 'webhook'),
    notifier: openDataSecret(dataDir, 'notifier'),
    mail: openDataSecret(dataDir, 'mail'),
  };
  const configs = loadServiceConfigs({ environment: deps.environment, urlFor: postgres.urlFor, secrets });
  const metrics = createMetrics({ service: 'standalone' });
  const telemetry = await openTelemetry(config, { service: 'standalone', metrics, log });
  const sandboxClock = configs.billing.PROCESSOR === 'sandbox' ? openSandboxClock(config, deps) : undefined;
  const clock = sandboxClock ?? deps.clock;
  const listener = createNotifications({ url: postgres.urlFor('aggregator_worker'), log });
  const notifications = sharedNotifications(listener);
  const eventLog = createPostgresEventLog({
    appendUrl: postgres.urlFor('ingest_gateway_worker'),
    readUrl: postgres.urlFor('aggregator_worker'),
    topics: { [usageEventsTopic]: configs.gateway.USAGE_EVENT_PARTITIONS },
    clock,
    log,
    notifications,
  });
  const depsFor = (service: string) => ({ clock, metrics, log: logFor(service), notifications });
  const auth = createAuth(configs.auth, depsFor('auth'));
  const billing = createBilling(configs.billing, {
    ...depsFor('billing'),
    sandboxClock,
    readDisk: () => readDisk(dataDir, deps.clock),
  });
  const aggregator = createAggregator(configs.aggregator, { ...depsFor('aggregator'), eventLog, onFailed });
  const gateway = createIngestGateway(configs.gateway, { ...depsFor('ingest-gateway'), eventLog });
  const notifier = createNotifier(configs.notifier, depsFor('notifier'));
  const services = [auth, billing, aggregator, gateway, notifier];
  const backups = createBackupAge({ dataDir, metrics, clock: deps.clock, log });
  const disk = createDiskWatch({ dataDir, metrics, clock: deps.clock, log });
  const parts = [...(sandboxClock ? [sandboxClock] : []), listener, eventLog, ...services, backups, disk];

  const readiness = () => readinessOfParts(parts);
  const http = createHttpServer(mountServices({ auth, billing, 'ingest-gateway': gateway, notifier }), {
    host: config.HOST,
    port: config.PORT,
    connections: connectionBoundsOf({ ...config, TRUSTED_PROXIES: configs.gateway.TRUSTED_PROXIES }),
    clock,
    log,
    readiness,
  });
  const metricsServer = createMetricsServer({ metrics, host: config.HOST, port: config.METRICS_PORT, log, readiness });
  return { ...combine('standalone', [...telemetry, ...parts, metricsServer, http]), address: http.address };
}

function openSandboxClock({ SANDBOX_CLOCK_START: startMs }: StandaloneConfig, { postgres, clock, logFor }: HostDeps) {
  const url = postgres.urlFor('billing_worker');
  return createSandboxClock({ url, part: 'alone', startMs, machine: clock, log: logFor('standalone') });
}
