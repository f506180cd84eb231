import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPostmasterFile } from '@tollgate/database/embedded/postmaster-file';

/** Signals every process of the PostgreSQL of a data folder. They are not in our group; each leads its own session. */
export function signalPostgres(dataDir: string, signal: NodeJS.Signals): void {
  const pid = readPostmasterFile(join(dataDir, 'postgres'))?.pid;
  if (pid === undefined) return;
  for (const each of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(each, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ESRCH: already gone
    }
  }
}

/** Without /proc only the server gets the signal. When it is killed, its children end by themselves. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // gone meanwhile
  }
}
