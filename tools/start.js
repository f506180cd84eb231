import { fileURLToPath } from 'node:url';

import { startBuilt } from './start-built.js';

// `pnpm start`.
await startBuilt(fileURLToPath(new URL('..', import.meta.url)));
