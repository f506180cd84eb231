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

/** The setting in which a server names the process that started it. PostgreSQL takes any name with a dot. */
export const launcherSetting = 'tollgate.launcher';

/**
 * Whether the process that started this server still runs: it is the server's parent, and becomes nobody's when it ends. So
 * a later process with the same id is not taken for it.
 */
export function hasLauncher(pid: number): boolean {
  const launcher = argumentsOf(pid)
    .find((word) => word.startsWith(`${launcherSetting}=`))
    ?.split('=')[1];
  return launcher !== undefined && parentOf(pid) === Number(launcher);
}

function parentOf(pid: number): number | undefined {
  try {
    // The name of the program stands in parentheses, and may have blanks. Behind it: state, parent.
    if (process.platform === 'linux')
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    return undefined; // no such process
  }
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
