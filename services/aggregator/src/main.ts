import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { loadConfig } from '@tollgate/runtime/config/load-config';
import { createEventLog } from '@tollgate/event-log/create-event-log';
import { createFront } from '@tollgate/runtime/http/serving/front';
import { connectionBoundsOf } from '@tollgate/runtime/http/serving/bound-connections';
import { createHttpServer } from '@tollgate/runtime/http/serving/create-http-server';
import { runUntilSignal } from '@tollgate/runtime/lifecycle/run-until-signal';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { openTelemetry } from '@tollgate/runtime/metrics/open-telemetry';
import { createMetricsServer } from '@tollgate/runtime/metrics/serve-metrics';
import { createProcessClock } from '@tollgate/runtime/sandbox-clock/create-process-clock';
import { configSchema } from './config.ts';
import { createAggregator } from './service.ts';

const config = loadConfig(configSchema, process.env);
const { HOST: host, PORT: port, METRICS_PORT: metricsPort } = config;
const log = createLogger({ name: 'aggregator', level: config.LOG_LEVEL });
const { clock, services } = createProcessClock(config, { part: 'follower', log });
const metrics = createMetrics({ service: 'aggregator' });
const telemetry = await openTelemetry(config, { service: 'aggregator', metrics, log });
const retentionDays = { [usageEventsTopic]: config.LOG_RETENTION_DAYS };
const eventLog = createEventLog(config, { topics: {}, retentionDays, clock, log });
const failure = Promise.withResolvers<never>();
const aggregator = createAggregator(config, { eventLog, clock, log, metrics, onFailed: failure.reject });
const handle = createFront({ routes: [], log, clock, handle: () => undefined });
const readiness = () => aggregator.readiness?.() ?? {};
const connections = connectionBoundsOf(config);
const server = createHttpServer(handle, { host, port, connections, clock, log, readiness });
const metricsServer = createMetricsServer({ metrics, host, port: metricsPort, log, readiness });
await runUntilSignal([...telemetry, ...services, eventLog, metricsServer, aggregator, server], {
  log,
  until: [failure.promise],
});
