import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { loadConfig } from '@tollgate/runtime/config/load-config';
import { createEventLog } from '@tollgate/event-log/create-event-log';
import { connectionBoundsOf } from '@tollgate/runtime/http/serving/bound-connections';
import { createHttpServer } from '@tollgate/runtime/http/serving/create-http-server';
import { runUntilSignal } from '@tollgate/runtime/lifecycle/run-until-signal';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { openTelemetry } from '@tollgate/runtime/metrics/open-telemetry';
import { createMetricsServer } from '@tollgate/runtime/metrics/serve-metrics';
import { createProcessClock } from '@tollgate/runtime/sandbox-clock/create-process-clock';
import { configSchema } from './config.ts';
import { createIngestGateway } from './service.ts';

const config = loadConfig(configSchema, process.env);
const log = createLogger({ name: 'ingest-gateway', level: config.LOG_LEVEL });
const { clock, services } = createProcessClock(config, { part: 'follower', log });
const metrics = createMetrics({ service: 'ingest-gateway' });
const telemetry = await openTelemetry(config, { service: 'ingest-gateway', metrics, log });
const topics = { [usageEventsTopic]: config.USAGE_EVENT_PARTITIONS };
const eventLog = createEventLog(config, { topics, clock, log });
const gateway = createIngestGateway(config, { eventLog, clock, log, metrics });
const { HOST: host, PORT: port, METRICS_PORT: metricsPort } = config;
const server = createHttpServer(gateway.handle, {
  host,
  port,
  connections: connectionBoundsOf(config),
  clock,
  log,
  readiness: gateway.readiness,
});
const metricsServer = createMetricsServer({ metrics, host, port: metricsPort, log, readiness: gateway.readiness });
await runUntilSignal([...telemetry, ...services, eventLog, metricsServer, gateway, server], { log });
