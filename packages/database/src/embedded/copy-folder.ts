import { chownSync, closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

export interface CopyRules {
  /** The path begins below the folder, such as `base/5/112`. Folders that are left out are not entered. */
  readonly leavesOut?: (path: string) => boolean;
  /** The owner of the copies, if it is another user. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/** Copies what is in a folder, durably. A file that vanishes meanwhile is left out, as in a database that is in use. */
export function copyFolder(from: string, to: string, rules: CopyRules = {}): Copied {
  let [files, bytes] = [0, 0];
  copyBelow('');
  return { files, bytes };

  function copyBelow(path: string): void {
    mkdirSync(join(to, path), { recursive: true, mode: 0o700 });
    for (const entry of readdirSync(join(from, path), { withFileTypes: true })) {
      const below = join(path, entry.name);
      if (rules.leavesOut?.(below)) continue;
      if (entry.isDirectory()) copyBelow(below);
      else if (entry.isFile()) copyOne(below);
    }
    own(join(to, path));
    sync(join(to, path));
  }

  function copyOne(path: string): void {
    const target = join(to, path);
    try {
      copyFileSync(join(from, path), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    own(target);
    sync(target);
    files += 1;
    bytes += statSync(target).size;
  }

  function own(path: string): void {
    if (rules.owner) chownSync(path, rules.owner.uid, rules.owner.gid);
  }
}

export function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
