import type { ServiceName } from '@tollgate/testkit/service-process';

/**
 * How far V8 lets the young generation grow, and at which heap it collects: docs/decisions/0215 has the figures. A gateway
 * holds requests while they are appended, an aggregator batches while they are counted.
 */
const options: Readonly<Record<ServiceName, string>> = {
  auth: '--max-semi-space-size=4',
  'ingest-gateway': '--max-semi-space-size=16',
  aggregator: '--max-semi-space-size=16 --max-old-space-size=256',
  billing: '--max-semi-space-size=4',
  notifier: '--max-semi-space-size=4',
};

/** The `NODE_OPTIONS` of a service, as docker-compose.yml has them. Options of one's own come after them, so they win. */
export function nodeOptionsOf(service: ServiceName, own = ''): string {
  return `${options[service]} ${own}`.trimEnd();
}
