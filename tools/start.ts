import { fileURLToPath } from 'node:url';
import { startCompiled } from './start-compiled.ts';

/** `pnpm start`. */
await startCompiled(fileURLToPath(new URL('../services/standalone', import.meta.url)), process.argv.slice(2));
