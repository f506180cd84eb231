import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** One prefix for all our metrics, so that one Prometheus can hold them beside others. The compiler refuses a name without it. */
export type MetricName = `tollgate_${string}`;

export interface Metrics {
  readonly registry: Registry;
  /** Counts up. A second call with the same name returns the same counter. */
  counter(name: MetricName, help: string, labels?: readonly string[]): Counter;
  /** Goes up and down. */
  gauge(name: MetricName, help: string, labels?: readonly string[]): Gauge;
  /** Durations in seconds unless `options` has other buckets. */
  histogram(name: MetricName, help: string, options?: HistogramOptions): Histogram;
}

export interface HistogramOptions {
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
}

const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Returns a new registry. The global registry would not do: tests and standalone need several. */
export function createMetrics(options: { readonly service: string }): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: options.service });

  function known<Metric>(name: MetricName, make: () => Metric): Metric {
    const metric = registry.getSingleMetric(name);
    return metric === undefined ? make() : (metric as Metric); // each name has one kind; prom-client would refuse another
  }

  return {
    registry,
    counter: (name, help, labels = []) =>
      known(name, () => new Counter({ name, help, labelNames: [...labels], registers: [registry] })),
    gauge: (name, help, labels = []) =>
      known(name, () => new Gauge({ name, help, labelNames: [...labels], registers: [registry] })),
    histogram: (name, help, { labels = [], buckets = secondsBuckets } = {}) =>
      known(
        name,
        () => new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] }),
      ),
  };
}

/** How often the lag of the event loop is looked at. With prom-client's 10 ms, that alone woke an idle process most often, and with 100 ms still. */
const lookAtLagEveryMs = 500;

/** Adds the process's own figures, once: memory, event loop, garbage collection. All services in the process share them. */
export function collectProcessMetrics(metrics: Metrics): void {
  if (metrics.registry.getSingleMetric('process_cpu_seconds_total') !== undefined) return;
  collectDefaultMetrics({ register: metrics.registry, eventLoopMonitoringPrecision: lookAtLagEveryMs });
}
