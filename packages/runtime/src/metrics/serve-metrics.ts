import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHttpServer } from '../http/serving/create-http-server.ts';
import type { Checks, Service } from '@tollgate/kernel/service';
import type { Logger } from '../logging/create-logger.ts';
import { collectProcessMetrics, type Metrics } from './create-metrics.ts';

export interface ServeMetricsOptions {
  readonly metrics: Metrics;
  readonly host: string;
  /** METRICS_PORT; undefined is off. */
  readonly port: number | undefined;
  readonly log: Logger;
  /** The checks of the service's /readyz. */
  readonly readiness: () => Checks;
}

/** `GET /metrics`, and `/readyz` with its parts, on a port of their own: the public port never shows them. */
export function createMetricsServer({ metrics, host, port, log, readiness }: ServeMetricsOptions): Service {
  const name = 'metrics';
  if (port === undefined) return { name, start: async () => undefined, stop: async () => undefined };
  const server = createHttpServer(answerMetrics, { name, host, port, log, readiness, showsChecks: true });

  function answerMetrics(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics cannot be read');
        response.writeHead(500).end();
      },
    );
  }

  async function start(): Promise<void> {
    collectProcessMetrics(metrics);
    await server.start();
  }

  return { name, start, stop: () => server.stop() };
}
