import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { systemClock } from '../packages/kernel/src/clock.ts';
import { startHeartbeat } from '../packages/runtime/src/timing/heartbeat.ts';

/**
 * Runs `prisma generate` in billing, and says so: it loads for seconds before it says a word, and an installation is
 * never silent.
 */
const billing = fileURLToPath(new URL('../services/billing/', import.meta.url));
const prisma = createRequire(`${billing}package.json`)
  .resolve('prisma/package.json')
  .replace(/package\.json$/, 'build/index.js');
const heartbeat = startHeartbeat({
  clock: systemClock,
  say: (step, seconds) => void process.stdout.write(`${step}, ${seconds} s\n`),
});
heartbeat.at('Generating the client of the catalogue');
// The engine of schemas would be another download; generating does without it.
const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' };
const child = spawn(process.execPath, [prisma, 'generate', '--no-hints'], { cwd: billing, env, stdio: 'inherit' });
const [code] = (await once(child, 'close')) as [number | null];
heartbeat.stop();
process.exitCode = code ?? 1;
