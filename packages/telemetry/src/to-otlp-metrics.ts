import { ValueType, type Attributes, type HrTime } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type HistogramMetricData,
  type MetricData,
  type SumMetricData,
  type GaugeMetricData,
} from '@opentelemetry/sdk-metrics';

/** One value of prom-client's registry. `metricName` is there for the parts of a histogram or a summary. */
export interface RegistryValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  readonly metricName?: string;
}

/** A metric as prom-client's `getMetricsAsJSON` has it. */
export interface RegistryMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string | number;
  readonly values: readonly RegistryValue[];
}

export interface Between {
  /** When the process began to count. */
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/**
 * The metrics of `/metrics` for OTLP: the same names, labels and values, so that dashboards and alerts hold for both. What has
 * neither form (summaries, of which we have none) is left out.
 */
export function toOtlpMetrics(metrics: readonly RegistryMetric[], between: Between): MetricData[] {
  return metrics.flatMap((metric): MetricData[] => {
    if (metric.values.length === 0) return [];
    if (metric.type === 'counter') return [toSum(metric, between)];
    if (metric.type === 'gauge') return [toGauge(metric, between)];
    return metric.type === 'histogram' ? [toHistogram(metric, between)] : [];
  });
}

function describe({ name, help }: RegistryMetric) {
  const descriptor = { name, description: help, unit: '', valueType: ValueType.DOUBLE };
  return { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
}

function toSum(metric: RegistryMetric, between: Between): SumMetricData {
  const dataPoints = metric.values.map((each) => toPoint(each, between));
  return { ...describe(metric), dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
}

function toGauge(metric: RegistryMetric, between: Between): GaugeMetricData {
  const dataPoints = metric.values.map((each) => toPoint(each, between));
  return { ...describe(metric), dataPointType: DataPointType.GAUGE, dataPoints };
}

function toPoint({ labels, value }: RegistryValue, between: Between): DataPoint<number> {
  return { ...between, attributes: toAttributes(labels), value };
}

function toHistogram(metric: RegistryMetric, between: Between): HistogramMetricData {
  const series = new Map<string, RegistryValue[]>();
  for (const value of metric.values) {
    const { le: _, ...labels } = value.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), value]);
  }
  const dataPoints = [...series.values()].map((values) => toHistogramPoint(metric.name, values, between));
  return { ...describe(metric), dataPointType: DataPointType.HISTOGRAM, dataPoints };
}

/** Prometheus' buckets count all below their bound, those of OTLP what lies between two bounds. */
function toHistogramPoint(
  name: string,
  values: readonly RegistryValue[],
  between: Between,
): HistogramMetricData['dataPoints'][number] {
  const below = values
    .filter(({ labels }) => labels['le'] !== undefined && labels['le'] !== '+Inf')
    .map(({ labels, value }) => ({ bound: Number(labels['le']), value }))
    .toSorted((one, other) => one.bound - other.bound);
  const find = (part: string): number => values.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0;
  const count = find('count');
  const upTo = [...below.map(({ value }) => value), count];
  const counts = upTo.map((value, index) => value - (upTo[index - 1] ?? 0));
  const { le: _, ...labels } = values[0]?.labels ?? {};
  return {
    ...between,
    attributes: toAttributes(labels),
    value: { buckets: { boundaries: below.map(({ bound }) => bound), counts }, sum: find('sum'), count },
  };
}

function toAttributes(labels: RegistryValue['labels']): Attributes {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));
}
