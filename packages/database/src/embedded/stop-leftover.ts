import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { DataFolderInUseError } from './lock-data-folder.ts';
import { hasLauncher, isServerOf, readPostmasterFile } from './postmaster-file.ts';

/**
 * A killed Node leaves its postgres running. The holder of the data folder's lock may stop it: fast shutdown, then
 * immediate (without a checkpoint; the next start replays the log), then kill. A postgres whose
 * launcher still runs is not left behind, although we hold the lock: somebody has moved the lock file away under it.
 */
export async function stopLeftover(clusterDir: string, log: Logger): Promise<void> {
  const found = readPostmasterFile(clusterDir);
  if (!found) return;
  if (!isServerOf(clusterDir, found.pid)) return forget(clusterDir, found.pid);
  if (hasLauncher(found.pid)) throw new DataFolderInUseError(dirname(clusterDir));
  log.warn({ pid: found.pid }, 'stopping the PostgreSQL that a killed Tollgate left behind');
  const steps = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const;
  for (const [signal, patienceMs] of steps) {
    if (await stops(clusterDir, found.pid, { signal, patienceMs })) return;
  }
  throw new EmbeddedPostgresError(`a PostgreSQL left behind by a killed Tollgate does not stop (process ${found.pid})`);
}

/** Deletes the file if its id now belongs to a foreign process: PostgreSQL would take that for a running server. */
function forget(clusterDir: string, pid: number): void {
  if (isAlive(pid)) rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
}

async function stops(
  clusterDir: string,
  pid: number,
  step: { signal: NodeJS.Signals; patienceMs: number },
): Promise<boolean> {
  try {
    process.kill(pid, step.signal);
  } catch {
    return true; // gone meanwhile
  }
  const patience = AbortSignal.timeout(step.patienceMs);
  while (isServerOf(clusterDir, pid)) {
    if (patience.aborted) return false;
    await sleep(20);
  }
  return true;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it exists, as another user's
  }
}
