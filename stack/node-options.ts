import type { ServiceName } from '@tollgate/testkit/service-process';

/** 256 MB is what Node takes in compose's containers of 512 MB anyway. Its own default grows with the machine's memory. */
const smallHeap = '--max-semi-space-size=2 --max-old-space-size=256';

/** A gateway holds requests while they are appended: docs/decisions/0215 has the figures. */
const options: Readonly<Record<ServiceName, string>> = {
  auth: smallHeap,
  'ingest-gateway': '--max-semi-space-size=16',
  aggregator: smallHeap,
  billing: smallHeap,
};

/** The `NODE_OPTIONS` of a service, as docker-compose.yml has them. Options of one's own come after them, so they win. */
export function nodeOptionsOf(service: ServiceName, own = ''): string {
  return `${options[service]} ${own}`.trimEnd();
}
