import { readFileSync, readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Folder } from './folder.ts';
import { lockName } from './spool-names.ts';

interface LockLine {
  readonly pid: number;
  readonly machine: string;
  readonly started: string;
}

/** A lock that was not written for so long belongs to a dead writer, unless its process can be seen. */
const silenceMsMax = 60_000;

export interface WriterLock {
  /** Says that the writer lives. Creates the lock anew if somebody removed it. */
  beat(): Promise<void>;
  isAlive(writer: string): Promise<boolean>;
  release(): Promise<void>;
}

/** The locks of a folder. They save needless work: an event is safe even if a segment is taken from a living writer. */
export function createWriterLock(folder: Folder, writer: string): WriterLock {
  const own = lockName(writer);
  const machine = machineOfThis();
  const line: LockLine = { pid: process.pid, machine, started: startOf(process.pid) ?? '' };

  async function writtenMs(name: string): Promise<number> {
    return (await stat(join(folder.path, name))).mtimeMs;
  }

  return {
    beat: () => folder.write(own, `${JSON.stringify(line)}\n`),
    async isAlive(other) {
      const bytes = await folder.read(lockName(other));
      if (bytes === undefined) return false;
      const lock = parseLock(bytes);
      if (lock?.machine === machine) return isRunning(lock);
      // Both times are those of the file system, whatever the clocks of the machines say.
      return (await writtenMs(own)) - (await writtenMs(lockName(other))) < silenceMsMax;
    },
    release: () => folder.remove(own),
  };
}

/** A lock that is being written may be empty. */
function parseLock(bytes: Buffer): LockLine | undefined {
  try {
    return JSON.parse(bytes.toString()) as LockLine;
  } catch {
    return undefined;
  }
}

function isRunning({ pid, started }: LockLine): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it runs as another user
  }
  return started === '' || (startOf(pid) ?? started) === started;
}

/** Equal where a process id means the same process. */
function machineOfThis(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** When a process started: the same id again is another process. Undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]; // field 22; the name in field 2 may have spaces
  } catch {
    return undefined;
  }
}
