import { fileURLToPath } from 'node:url';

import { isFresh } from './freshness.js';

// `pnpm start`. What has changed is compiled first; else nothing but the program is loaded.
const root = fileURLToPath(new URL('..', import.meta.url));
if (!isFresh(root, 'standalone')) {
  const { buildServices } = await import('./build-services.ts');
  const code = await buildServices(root, ['standalone']);
  if (code !== 0) process.exit(code);
}
await import(new URL('../services/standalone/dist/bundle/main.js', import.meta.url).href);
