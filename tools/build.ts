import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { buildServices, everyService } from './build-services.ts';

/** `node tools/build.ts [--in <repository>] [--no-bundle] [service…]`: builds these services, by default everything. */
const { values, positionals } = parseArgs({
  options: { in: { type: 'string' }, bundle: { type: 'boolean', default: true } },
  allowNegative: true,
  allowPositionals: true,
});
const root = values.in ?? fileURLToPath(new URL('..', import.meta.url));
const services = everyService.filter((service) => positionals.includes(service));
process.exitCode = await buildServices(root, services, { isBundled: values.bundle });
