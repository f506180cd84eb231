import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { consoleFingerprintOf, isConsoleFresh } from './freshness.js';

/**
 * Builds the console into its `dist`, unless it is there of the same sources. Complaints go to standard error. Returns an exit
 * code.
 */
export async function buildConsole(root: string): Promise<number> {
  if (isConsoleFresh(root)) return 0;
  const folder = join(root, 'packages/console');
  const fingerprint = consoleFingerprintOf(root); // taken before the build: a later change is built the next time
  const unfinished = join(folder, 'node_modules/.cache', `dist.${process.pid}`);
  const code = await runVite(folder, unfinished);
  if (code === 0) {
    writeFileSync(join(unfinished, 'fingerprint'), fingerprint);
    replaceFolder(join(folder, 'dist'), unfinished);
  }
  rmSync(unfinished, { recursive: true, force: true });
  return code;
}

/** In a process of its own, beside the compiler's. */
async function runVite(folder: string, into: string): Promise<number> {
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  const args = ['build', '--outDir', into, '--emptyOutDir', '--logLevel', 'warn'];
  const env = { ...process.env, NODE_ENV: 'production' }; // else tests, and whoever develops, would build React's slow form
  const child = spawn(process.execPath, [vite, ...args], { cwd: folder, env, stdio: ['ignore', 2, 2] });
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const [code] = (await once(child, 'close')) as [number | null];
  process.off('SIGINT', stop).off('SIGTERM', stop);
  return code ?? 1;
}

/** A console of two builds would be neither: it comes to its place as a whole. */
function replaceFolder(place: string, by: string): void {
  rmSync(place, { recursive: true, force: true });
  try {
    renameSync(by, place);
  } catch (error) {
    if (!existsSync(place)) throw error; // else another build was first
  }
}
