import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startKeeper } from './keeper.ts';

/** A disk of one's own, of which a test may take all there is. */
export interface SmallDisk {
  /** An empty folder. */
  readonly path: string;
  /** Takes the room that is left; whoever writes from then on is told that there is none. */
  fill(): Promise<void>;
  /** Gives it back. */
  free(): void;
  destroy(): Promise<void>;
}

const run = promisify(execFile);
const lastBytes = [1024 * 1024, 64 * 1024, 4 * 1024, 1];

/** A disk in memory, mounted below `folder`. Throws why there can be none, as for anybody but root. */
export async function mountSmallDisk(folder: string, { bytes }: { bytes: number }): Promise<SmallDisk> {
  const path = join(folder, 'disk');
  const ballast = join(path, 'ballast');
  mkdirSync(path);
  const keeper = startKeeper({ mountPoint: path }); // should we be killed
  const destroy = (): Promise<void> => keeper.end();
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0755`, 'tollgate-test', path]);
  } catch (error) {
    await destroy();
    const { stderr, message } = error as { stderr?: string; message: string }; // execFile's error
    throw new Error(`no disk can be mounted: ${(stderr || message).trim()}`, { cause: error });
  }
  return {
    path,
    async fill() {
      const { bavail, bsize } = statfsSync(path);
      await run('fallocate', ['--length', String(bavail * bsize), ballast]).catch(() => undefined); // most of it, at once
      for (const size of lastBytes) appendUntilFull(ballast, Buffer.alloc(size));
    },
    free: () => rmSync(ballast, { force: true }),
    destroy,
  };
}

/** For `describeWhere`: throws why none can be mounted. */
export async function trySmallDisk(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-disk-'));
  try {
    await (await mountSmallDisk(folder, { bytes: 1024 * 1024 })).destroy();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function appendUntilFull(file: string, bytes: Buffer): void {
  try {
    for (;;) appendFileSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
