import { execFile } from 'node:child_process';
import { mkdirSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createBallast } from './ballast.ts';
import { startKeeper } from './keeper.ts';
import type { SmallDisk } from './small-disk.ts';

const run = promisify(execFile);

/**
 * A disk for more than memory holds: a file below `folder` that takes no more room than what was written to it. Throws
 * why there can be none, as for anybody but root, or where there are no loop devices.
 */
export async function mountLargeDisk(folder: string, { bytes }: { bytes: number }): Promise<SmallDisk> {
  const [image, path] = [join(folder, 'disk.img'), join(folder, 'disk')];
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
    await run('mount', ['-o', 'loop,noinit_itable', image, path]);
    rmdirSync(join(path, 'lost+found'));
  } catch (error) {
    await destroy();
    const { stderr, message } = error as { stderr?: string; message: string }; // execFile's error
    throw new Error(`no disk can be mounted: ${(stderr || message).trim()}`, { cause: error });
  }
  return { path, ...createBallast(path), destroy };
}
