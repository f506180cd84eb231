import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunStandalone } from '../services/standalone/src/load-standalone.ts';
import { compileTalking, compilerCommand } from './compile-talking.ts';

/**
 * `pnpm start`: compiles what has changed, and runs services/standalone. The compiler looks at a thousand files before it
 * knows that none has. So what was compiled is loaded meanwhile, and run if the compiler leaves it as it is.
 */
const folder = fileURLToPath(new URL('../services/standalone/', import.meta.url));
const args = process.argv.slice(2);

const compiling = compileTalking(compilerCommand(`${folder}tsconfig.build.json`), (line) => {
  process.stderr.write(`${line}\n`);
});
const loading = existsSync(`${folder}dist/load-standalone.js`) ? load() : undefined;
loading?.catch(() => undefined); // it may be half of an old program; the compiler will say so
const { code, hasBuilt } = await compiling;
if (code !== 0) process.exit(code);
if (loading !== undefined && hasBuilt) runAnew();
const runStandalone = await (loading ?? load());
await runStandalone({ args, environment: process.env });

async function load(): Promise<RunStandalone> {
  // Not the source: that would be another program, in the same process.
  const { loadStandalone } = (await import(`${folder}dist/load-standalone.js`)) as {
    loadStandalone: () => Promise<RunStandalone>;
  };
  return loadStandalone();
}

/** Modules of the program before are loaded. This process becomes one that has none of them, with the same id. */
function runAnew(): never {
  const began = { START_BEGAN_MS: String(Math.round(performance.timeOrigin)) };
  process.execve?.(process.execPath, [process.execPath, `${folder}dist/main.js`, ...args], {
    ...process.env,
    ...began,
  });
  throw new Error('this Node cannot run the program anew: start again'); // it is older than the one that is installed
}
