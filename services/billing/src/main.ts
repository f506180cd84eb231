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
import { createBilling } from './service.ts';

const config = loadConfig(configSchema, process.env);
const log = createLogger({ name: 'billing', level: config.LOG_LEVEL });
const { clock, sandboxClock, services } = createProcessClock(config, { part: 'mover', log });
const metrics = createMetrics({ service: 'billing' });
const telemetry = await openTelemetry(config, { service: 'billing', metrics, log });
const { HOST: host, PORT: port, METRICS_PORT: metricsPort } = config;
const billing = createBilling(config, { clock, sandboxClock, log, metrics });
const server = createHttpServer(billing.handle, {
  host,
  port,
  connections: connectionBoundsOf(config),
  clock,
  log,
  readiness: billing.readiness,
});
await runUntilSignal(
  [
    ...telemetry,
    ...services,
    createMetricsServer({ metrics, host, port: metricsPort, log, readiness: billing.readiness }),
    billing,
    server,
  ],
  {
    log,
  },
);
