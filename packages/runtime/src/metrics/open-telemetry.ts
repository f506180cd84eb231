import type { Service } from '@tollgate/kernel/service';
import { systemClock } from '@tollgate/kernel/clock';
import type { TelemetrySettings } from '../config/telemetry-settings.ts';
import type { Logger } from '../logging/create-logger.ts';
import { within } from '../timing/within.ts';
import { collectProcessMetrics, type Metrics } from './create-metrics.ts';

export interface TelemetryDeps {
  /** Names the process in traces and metrics. */
  readonly service: string;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** The end of a process waits no longer for what is still to be sent. */
const stopsWithinMs = 3_000;

/**
 * Starts OpenTelemetry where the settings have an endpoint; elsewhere its SDK is not even loaded. It is called before any other
 * part is created: each part asks once whether somebody traces. Started first, the services that it returns stop last.
 */
export async function openTelemetry(
  config: TelemetrySettings,
  { service, metrics, log }: TelemetryDeps,
): Promise<readonly Service[]> {
  const both = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const sendsTraces = (config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? both) !== undefined;
  const sendsMetrics = (config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? both) !== undefined;
  if (!sendsTraces && !sendsMetrics) return [];
  const { startTelemetry } = await import('@tollgate/telemetry/start-telemetry');
  if (sendsMetrics) collectProcessMetrics(metrics);
  const read = () => metrics.registry.getMetricsAsJSON();
  const sent = sendsMetrics ? { everyMs: config.OTEL_METRIC_EXPORT_INTERVAL, read } : undefined;
  const name = `tollgate-${service}`;
  const started = startTelemetry({ service: name, sendsTraces, metrics: sent, clock: systemClock, log });
  return [{ ...started, stop: () => within(started.stop(), stopsWithinMs, () => undefined) }];
}
