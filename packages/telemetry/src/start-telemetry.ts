import { context, diag, DiagLogLevel, trace, type DiagLogger } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { HrTime } from '@opentelemetry/api';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { toOtlpMetrics, type RegistryMetric } from './to-otlp-metrics.ts';

export interface TelemetryOptions {
  /** `service.name`, unless the environment has `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES`. */
  readonly service: string;
  readonly sendsTraces: boolean;
  /** Undefined: no metrics are sent. */
  readonly metrics: { readonly everyMs: number; read(): Promise<readonly RegistryMetric[]> } | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: { warn(facts: object, message: string): void };
}

/**
 * Sends traces and metrics by OTLP over HTTP, as the standard `OTEL_…` variables say: the SDK reads them from the environment.
 * From its call on, `tracerOf` has a tracer. A receiver that is away costs what it misses, and nothing else.
 */
export function startTelemetry(options: TelemetryOptions): Service {
  diag.setLogger(toDiagLogger(options.log), DiagLogLevel.WARN);
  const named = resourceFromAttributes({ 'service.name': options.service });
  const resource = defaultResource()
    .merge(named)
    .merge(detectResources({ detectors: [envDetector] }));
  const traces = options.sendsTraces ? startTraces(resource) : undefined;
  const metrics = options.metrics && startMetrics(resource, options.metrics, options.clock);
  return {
    name: 'telemetry',
    start: async () => undefined,
    async stop() {
      // Sends what is waiting. A receiver that is away is no reason to end otherwise.
      await Promise.allSettled([traces?.shutdown(), metrics?.shutdown()]);
    },
  };
}

type Resource = ReturnType<typeof defaultResource>;

function startTraces(resource: Resource): BasicTracerProvider {
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return provider;
}

function startMetrics(
  resource: Resource,
  { everyMs, read }: NonNullable<TelemetryOptions['metrics']>,
  clock: Pick<Clock, 'now'>,
): MeterProvider {
  const startTime = toHrTime(clock.now());
  const scope = { name: 'tollgate' };
  const producer = {
    async collect() {
      const metrics = toOtlpMetrics(await read(), { startTime, endTime: toHrTime(clock.now()) });
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: everyMs,
    metricProducers: [producer],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}

/** Its messages are for us; `OTEL_EXPORTER_OTLP_HEADERS`, which may hold a token, is in none of them. */
function toDiagLogger(log: TelemetryOptions['log']): DiagLogger {
  const warn = (message: string): void => log.warn({ reason: message }, 'telemetry');
  const leaveOut = (): void => undefined;
  return { error: warn, warn, info: leaveOut, debug: leaveOut, verbose: leaveOut };
}
