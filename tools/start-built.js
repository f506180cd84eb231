import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { isConsoleFresh, isFresh } from './freshness.js';

/**
 * Runs the standalone service in this process. What has changed is built first, in a process of its own: this one would
 * keep the memory of compilers.
 *
 * @param {string} root the repository
 * @returns {Promise<void>}
 */
export async function startBuilt(root) {
  if (!isFresh(root, 'standalone') || !isConsoleFresh(root)) {
    await build(root);
    process.stderr.write('Starting Tollgate.\n'); // loading it may be silent for seconds on a busy machine
  }
  await import(pathToFileURL(join(root, 'services/standalone/dist/bundle/main.js')).href);
}

/** @param {string} root the repository */
async function build(root) {
  const program = fileURLToPath(new URL('build.ts', import.meta.url));
  const child = spawn(process.execPath, [program, '--in', root, 'standalone'], { stdio: 'inherit' });
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => void child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const [code] = await once(child, 'close');
  process.off('SIGINT', stop).off('SIGTERM', stop);
  if (code !== 0) process.exit(typeof code === 'number' ? code : 1);
}
