import { readFileSync, readlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';

export interface PostmasterFile {
  readonly pid: number;
  readonly port: number | undefined;
  /** Empty: the server listens on no Unix socket. */
  readonly socketDir: string | undefined;
  readonly isReady: boolean;
}

/** The file in which a running server describes itself; undefined if there is none (yet). */
export function readPostmasterFile(clusterDir: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1) return undefined;
  return { pid, port: Number(lines[3]) || undefined, socketDir: lines[4], isReady: lines[7]?.trim() === 'ready' };
}

/** Whether the process is a postgres that was started on this cluster. Its id alone proves nothing: ids are reused. */
export function isServerOf(clusterDir: string, pid: number): boolean {
  const args = argumentsOf(pid);
  return (
    args.includes(clusterDir) && args.includes('-D') && basename(executableOf(pid) ?? args[0] ?? '') === 'postgres'
  );
}

function argumentsOf(pid: number): string[] {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(' ');
  } catch {
    return []; // no such process
  }
}

/** The kernel's answer, if any. It appends "(deleted)" to the path of a removed file. */
function executableOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    return undefined;
  }
}
