import { expect, it } from '@jest/globals';
import { DataPointType } from '@opentelemetry/sdk-metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { toOtlpMetrics } from './to-otlp-metrics.ts';

const between = { startTime: [1, 0], endTime: [2, 0] } as const;

async function convert(fill: (registers: Registry[]) => void) {
  const registry = new Registry();
  registry.setDefaultLabels({ service: 'test' });
  fill([registry]);
  const metrics = await registry.getMetricsAsJSON();
  return toOtlpMetrics(metrics, { startTime: [...between.startTime], endTime: [...between.endTime] });
}

it('keeps names, labels and values of counters and gauges', async () => {
  const [counter, gauge] = await convert((registers) => {
    new Counter({ name: 'calls_total', help: 'Calls.', labelNames: ['kind'], registers }).inc({ kind: 'a' }, 3);
    new Gauge({ name: 'waiting', help: 'Waiting.', registers }).set(0.5);
  });
  expect(counter).toMatchObject({
    descriptor: { name: 'calls_total', description: 'Calls.' },
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: [{ ...between, attributes: { kind: 'a', service: 'test' }, value: 3 }],
  });
  expect(gauge).toMatchObject({ dataPointType: DataPointType.GAUGE, dataPoints: [{ value: 0.5 }] });
});

it('counts in each bucket of a histogram what lies between its bounds, per series', async () => {
  const [histogram] = await convert((registers) => {
    const seconds = new Histogram({ name: 's', help: 'S.', labelNames: ['kind'], buckets: [1, 10], registers });
    for (const value of [0.5, 1, 5, 100, 200]) seconds.observe({ kind: 'a' }, value);
    seconds.observe({ kind: 'b' }, 2);
  });
  expect(histogram?.dataPoints).toMatchObject([
    {
      attributes: { kind: 'a', service: 'test' },
      value: { buckets: { boundaries: [1, 10], counts: [2, 1, 2] }, sum: 306.5, count: 5 },
    },
    { attributes: { kind: 'b', service: 'test' }, value: { buckets: { counts: [0, 1, 0] }, count: 1 } },
  ]);
});

it('leaves out metrics without a value', async () => {
  const none = await convert((registers) => {
    new Counter({ name: 'never_total', help: 'Never.', labelNames: ['kind'], registers });
  });
  expect(none).toEqual([]);
});
