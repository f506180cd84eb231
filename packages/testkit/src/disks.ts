import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createBallast, type Ballast } from './ballast.ts';
import { startKeeper } from './keeper.ts';

/** A disk of one test, which may fill it. */
export interface TestDisk extends Ballast {
  /** An empty folder. */
  readonly path: string;
  destroy(): Promise<void>;
}

export interface LargeDisk extends TestDisk {
  /** Mounts below another folder what the disk would have if the power failed now: what was flushed, and nothing else. */
  afterPowerCut(folder: string): Promise<TestDisk>;
}

interface Size {
  readonly bytes: number;
}

const run = promisify(execFile);

/** Mounts a disk in memory below `folder`. Throws the reason if it cannot: only root can. */
export async function mountSmallDisk(folder: string, { bytes }: Size): Promise<TestDisk> {
  return mountDisk(folder, (path) =>
    run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0755`, 'tollgate-test', path]),
  );
}

/**
 * Mounts a disk larger than memory: a sparse file below `folder`. Throws the reason if it cannot: only root can, and
 * only with loop devices. Without a journal it has all its room; a disk whose power fails needs one.
 */
export async function mountLargeDisk(
  folder: string,
  { bytes, hasJournal = false }: Size & { readonly hasJournal?: boolean },
): Promise<LargeDisk> {
  const image = join(folder, 'disk.img');
  const forget = () => rmSync(image, { force: true });
  try {
    const disk = await mountDisk(folder, async (path) => {
      writeFileSync(image, '');
      truncateSync(image, bytes);
      const journal = hasJournal ? 'has_journal' : '^has_journal';
      await run('mkfs.ext4', ['-q', '-F', '-m', '0', '-O', journal, image]); // no reserve for root, which runs the tests
      await run('mount', ['-o', 'loop,noinit_itable', image, path]);
      rmdirSync(join(path, 'lost+found'));
    });
    return {
      ...disk,
      async afterPowerCut(other) {
        const found = join(other, 'disk.img');
        copyFileSync(image, found);
        const copy = await mountDisk(other, (path) => run('mount', ['-o', 'loop', found, path]));
        return { ...copy, destroy: () => copy.destroy().then(() => rmSync(found)) };
      },
      destroy: () => disk.destroy().then(forget),
    };
  } catch (error) {
    forget();
    throw error;
  }
}

async function mountDisk(folder: string, mount: (path: string) => Promise<unknown>): Promise<TestDisk> {
  const path = join(folder, 'disk');
  mkdirSync(path);
  const keeper = startKeeper({ mountPoint: path }); // in case this process is killed
  try {
    await mount(path);
  } catch (error) {
    await keeper.end();
    const { stderr, message } = error as { stderr?: string; message: string }; // execFile's error
    throw new Error(`no disk can be mounted: ${(stderr || message).trim()}`, { cause: error });
  }
  return { path, ...createBallast(path), destroy: () => keeper.end() };
}

/** For `describeWhere`: throws the reason if no disk in a file can be mounted. */
export async function tryLargeDisk(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-disk-'));
  try {
    await (await mountLargeDisk(folder, { bytes: 8 * 1024 * 1024 })).destroy();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For `describeWhere`: throws the reason if no disk can be mounted. */
export async function trySmallDisk(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-disk-'));
  try {
    await (await mountSmallDisk(folder, { bytes: 1024 * 1024 })).destroy();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
