import { fileURLToPath } from 'node:url';

import { buildServices, everyService } from './build-services.ts';

/** `node tools/build.ts [service…]`: compiles and bundles these services, by default everything. */
const services = everyService.filter((service) => process.argv.slice(2).includes(service));
process.exitCode = await buildServices(fileURLToPath(new URL('..', import.meta.url)), services);
