import { execFile } from 'node:child_process';
import { appendFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Fills a disk that belongs to one test. */
export interface Ballast {
  /** Takes the room that is left. Every later write fails with ENOSPC. */
  fill(): Promise<void>;
  /** Gives the room back. */
  free(): void;
}

const lastBytes = [1024 * 1024, 64 * 1024, 4 * 1024, 1];

export function createBallast(disk: string): Ballast {
  const file = join(disk, 'ballast');
  return {
    async fill() {
      const { bavail, bsize } = statfsSync(disk);
      const most = ['--length', String(bavail * bsize), file]; // at once
      await promisify(execFile)('fallocate', most).catch(() => undefined);
      for (const size of lastBytes) appendUntilFull(file, Buffer.alloc(size));
    },
    free: () => rmSync(file, { force: true }),
  };
}

function appendUntilFull(file: string, bytes: Buffer): void {
  try {
    for (;;) appendFileSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
