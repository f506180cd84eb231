import { afterEach, describe, expect, it } from '@jest/globals';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { createLogger } from '../../src/logging/create-logger.ts';
import { createMetrics } from '../../src/metrics/create-metrics.ts';
import { createMetricsServer } from '../../src/metrics/serve-metrics.ts';
import type { Service } from '@tollgate/kernel/service';

const log = createLogger({ name: 'test', level: 'silent' });
const readiness = () => ({ redis: 'degraded: away' });
const started: Service[] = [];

async function serve(metrics = createMetrics({ service: 'test' })): Promise<string> {
  const [port] = await findFreePorts(1);
  const server = createMetricsServer({ metrics, host: '127.0.0.1', port, log, readiness });
  await server.start();
  started.push(server);
  return `http://127.0.0.1:${port}`;
}

afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});

describe('the metrics port', () => {
  it('serves GET /metrics with our figures and those of the process', async () => {
    const metrics = createMetrics({ service: 'test' });
    metrics.counter('tollgate_calls_total', 'Calls.', ['kind']).inc({ kind: 'a' }, 2);
    const answer = await fetch(`${await serve(metrics)}/metrics`);
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toContain('tollgate_calls_total{kind="a",service="test"} 2');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });

  it('F161 names the parts of the service at /readyz', async () => {
    const answer = await fetch(`${await serve()}/readyz`);
    expect(await answer.json()).toEqual({ status: 'ok', checks: { redis: 'degraded: away' } });
  });

  it('serves nothing else', async () => {
    const base = await serve();
    for (const path of ['/', '/metrics/', '/livez/x']) expect((await fetch(base + path)).status).toBe(404);
    expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  it('is off without a port', async () => {
    const server = createMetricsServer({
      metrics: createMetrics({ service: 'test' }),
      host: '127.0.0.1',
      port: undefined,
      log,
      readiness,
    });
    await server.start();
    await expect(server.stop()).resolves.toBeUndefined();
  });

  it('returns the same metric for the same name', () => {
    const metrics = createMetrics({ service: 'test' });
    const twice = () => metrics.histogram('tollgate_took_seconds', 'Time.');
    expect(twice()).toBe(twice());
  });
});
