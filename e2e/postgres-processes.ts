import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPostmasterFile } from '@tollgate/database/embedded/postmaster-file';

/** To the PostgreSQL of this data folder, all of it: it is no member of our group, and each process leads a session. */
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

/** Where there is no /proc only the server itself gets the signal; killed, its children end by themselves. */
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
