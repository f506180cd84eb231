import { createAggregator } from '@tollgate/aggregator/service';
import { createAuth } from '@tollgate/auth/service';
import { createBilling } from '@tollgate/billing/service';
import { usageEventsTopic } from '@tollgate/contracts/event-record';
import { createIngestGateway } from '@tollgate/ingest-gateway/service';
import type { Clock } from '@tollgate/kernel/clock';
import type { Environment } from '@tollgate/runtime/config/load-config';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { createPostgresEventLog } from '@tollgate/event-log/postgres';
import { createHttpServer, type HttpServer } from '@tollgate/runtime/http/create-http-server';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { createMetricsServer } from '@tollgate/runtime/metrics/serve-metrics';
import { migrate } from '@tollgate/database/migrate';
import { createSandboxClock } from '@tollgate/runtime/sandbox-clock/create-sandbox-clock';

import type { StandaloneConfig } from './config.ts';
import { openDataSecret } from './data-secret.ts';
import { mountServices } from './mount-services.ts';
import { readinessOfParts } from './readiness-of-parts.ts';
import { loadServiceConfigs } from './load-configs.ts';

export interface StandaloneDeps {
  /** Where the settings of the four services come from. */
  readonly environment: Environment;
  readonly dataDir: string;
  readonly clock: Clock;
  /** Each service's lines bear its name. */
  readonly logFor: (service: string) => Logger;
}

export interface Standalone extends Service {
  /** Known once started. */
  address(): { readonly host: string; readonly port: number };
  /** Rejects when a part has failed for good: the process should end, for alive and idle is worse than dead. */
  readonly failed: Promise<never>;
}

/** All of Tollgate in one process: PostgreSQL first, then the four services on it, the one port last. */
export function createStandalone(config: StandaloneConfig, deps: StandaloneDeps): Standalone {
  const { dataDir } = deps;
  const log = deps.logFor('standalone');
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // whoever listens gets it; nobody has to
  let postgres: EmbeddedPostgres | undefined;
  let host: Host | undefined;
  let isStopping = false;

  async function start(): Promise<void> {
    postgres = await startEmbeddedPostgres({ dataDir, log });
    try {
      await migrate({ ownerUrl: postgres.ownerUrl, rolePasswords: postgres.rolePassword, log });
      host = createHost(config, { ...deps, postgres, onFailed: failure.reject });
      await host.start();
    } catch (error) {
      await postgres.stop();
      throw error;
    }
    void postgres.exited.then(() => {
      if (!isStopping)
        failure.reject(new Error('the embedded PostgreSQL has ended by itself; see postgres.log in the data folder'));
    });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    try {
      await host?.stop();
    } finally {
      await postgres?.stop();
    }
  }

  function address(): { host: string; port: number } {
    if (!host) throw new Error('it has not been started');
    return host.address();
  }

  return { name: 'standalone', start, stop, address, failed: failure.promise };
}

interface HostDeps extends StandaloneDeps {
  readonly postgres: EmbeddedPostgres;
  readonly onFailed: (error: unknown) => void;
}

type Host = Service & Pick<HttpServer, 'address'>;

/** The four services as anywhere else: each with pools and roles of its own; they share the log and this process. */
function createHost(
  config: StandaloneConfig,
  { environment, dataDir, postgres, clock: machine, logFor, onFailed }: HostDeps,
): Host {
  const log = logFor('standalone');
  const secrets = { auth: openDataSecret(dataDir, 'auth'), webhook: openDataSecret(dataDir, 'webhook') };
  const configs = loadServiceConfigs({ environment, urlFor: postgres.urlFor, secrets });
  const metrics = createMetrics({ service: 'standalone' });
  const sandboxClock =
    configs.billing.PROCESSOR === 'sandbox'
      ? createSandboxClock({
          url: postgres.urlFor('billing_worker'),
          part: 'alone',
          startMs: config.SANDBOX_CLOCK_START,
          machine,
          log,
        })
      : undefined;
  const clock = sandboxClock ?? machine;
  const eventLog = createPostgresEventLog({
    appendUrl: postgres.urlFor('ingest_gateway_worker'),
    readUrl: postgres.urlFor('aggregator_worker'),
    topics: { [usageEventsTopic]: configs.gateway.USAGE_EVENT_PARTITIONS },
    clock,
    log,
  });
  const auth = createAuth(configs.auth, { clock, log: logFor('auth'), metrics });
  const billing = createBilling(configs.billing, { clock, sandboxClock, log: logFor('billing'), metrics });
  const aggregator = createAggregator(configs.aggregator, {
    eventLog,
    clock,
    log: logFor('aggregator'),
    metrics,
    onFailed,
  });
  const gateway = createIngestGateway(configs.gateway, { eventLog, clock, log: logFor('ingest-gateway'), metrics });
  const parts = [...(sandboxClock ? [sandboxClock] : []), eventLog, auth, billing, aggregator, gateway];

  const handle = mountServices({ auth, billing, 'ingest-gateway': gateway });
  const http = createHttpServer(handle, {
    host: config.HOST,
    port: config.PORT,
    connectionsMax: config.HTTP_CONNECTIONS_MAX,
    log,
    readiness: () => readinessOfParts(parts),
  });
  const metricsServer = createMetricsServer({ metrics, host: config.HOST, port: config.METRICS_PORT, log });
  return { ...combine('standalone', [...parts, metricsServer, http]), address: http.address };
}
