import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Counts up. The same name again is the same counter. */
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  /** Goes up and down. */
  gauge(name: string, help: string, labels?: readonly string[]): Gauge;
  /** Durations in seconds unless other buckets are given. */
  histogram(name: string, help: string, options?: HistogramOptions): Histogram;
}

export interface HistogramOptions {
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
}

const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A registry of its own (never the global one: tests and standalone hold several), with the process's figures in it. */
export function createMetrics(options: { readonly service: string }): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: options.service });

  function known<Metric>(name: string, make: () => Metric): Metric {
    const metric = registry.getSingleMetric(name);
    return metric === undefined ? make() : (metric as Metric); // one name, one kind: prom-client would refuse another
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

/** The process's own figures (memory, event loop, garbage collection). Once a process: they are the same for all services in it. */
export function collectProcessMetrics(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics.registry });
}
