import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createBallast, type Ballast } from './ballast.ts';
import { startKeeper } from './keeper.ts';

/** A disk of one's own, of which a test may take all there is. */
export interface SmallDisk extends Ballast {
  /** An empty folder. */
  readonly path: string;
  destroy(): Promise<void>;
}

const run = promisify(execFile);

/** A disk in memory, mounted below `folder`. Throws why there can be none, as for anybody but root. */
export async function mountSmallDisk(folder: string, { bytes }: { bytes: number }): Promise<SmallDisk> {
  const path = join(folder, 'disk');
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
  return { path, ...createBallast(path), destroy };
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
