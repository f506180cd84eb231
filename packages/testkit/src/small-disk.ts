import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, rmdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
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

/**
 * A file of this size below `folder`, mounted: it takes no room before somebody writes to it. Throws why there can be
 * none, as for anybody but root.
 */
export async function mountSmallDisk(folder: string, { bytes }: { bytes: number }): Promise<SmallDisk> {
  const [image, path] = [join(folder, 'disk.img'), join(folder, 'disk')];
  const ballast = join(path, 'ballast');
  mkdirSync(path);
  writeFileSync(image, '');
  truncateSync(image, bytes);
  const keeper = startKeeper({ mountPoint: path }); // should we be killed
  const destroy = async (): Promise<void> => {
    await keeper.end();
    rmSync(image);
  };
  try {
    await run('mkfs.ext4', ['-q', '-F', '-m', '0', '-O', '^has_journal', image]); // no reserve for root, who runs the tests
    await run('mount', ['-o', 'loop', image, path]);
    rmdirSync(join(path, 'lost+found'));
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

function appendUntilFull(file: string, bytes: Buffer): void {
  try {
    for (;;) appendFileSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
