import { loadConfig } from '@tollgate/runtime/config/load-config';
import { connectionBoundsOf } from '@tollgate/runtime/http/serving/bound-connections';
import { createHttpServer } from '@tollgate/runtime/http/serving/create-http-server';
import { runUntilSignal } from '@tollgate/runtime/lifecycle/run-until-signal';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { openTelemetry } from '@tollgate/runtime/metrics/open-telemetry';
import { createMetricsServer } from '@tollgate/runtime/metrics/serve-metrics';
import { createProcessClock } from '@tollgate/runtime/sandbox-clock/create-process-clock';
import { configSchema } from './config.ts';
import { createNotifier } from './service.ts';

const config = loadConfig(configSchema, process.env);
const log = createLogger({ name: 'notifier', level: config.LOG_LEVEL });
const { clock, services } = createProcessClock(config, { part: 'follower', log });
const metrics = createMetrics({ service: 'notifier' });
const telemetry = await openTelemetry(config, { service: 'notifier', metrics, log });
const notifier = createNotifier(config, { clock, log, metrics });
const readiness = () => notifier.readiness?.() ?? {};
const { HOST: host, PORT: port, METRICS_PORT: metricsPort } = config;
const server = createHttpServer(notifier.handle, {
  host,
  port,
  connections: connectionBoundsOf(config),
  clock,
  log,
  readiness,
});
const metricsServer = createMetricsServer({ metrics, host, port: metricsPort, log, readiness });
await runUntilSignal([...telemetry, ...services, notifier, metricsServer, server], { log });
