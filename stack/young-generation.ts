import type { ServiceName } from '@tollgate/testkit/service-process';

/** The megabytes of V8's semi-space. A gateway holds requests while they are appended: docs/decisions/0215 has the figures. */
const semiSpaceMegabytes: Readonly<Record<ServiceName, number>> = {
  auth: 4,
  'ingest-gateway': 16,
  aggregator: 4,
  billing: 4,
};

/** The `NODE_OPTIONS` of a service, as docker-compose.yml has them. Options of one's own come after them, so they win. */
export function nodeOptionsOf(service: ServiceName, own = ''): string {
  return `--max-semi-space-size=${semiSpaceMegabytes[service]} ${own}`.trimEnd();
}
