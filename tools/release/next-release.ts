import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writePythonVersion } from './python-version.ts';
import { publishedFolders, readManifest, repository } from './workspace-packages.ts';

export interface NextRelease {
  readonly name: string;
  readonly version: string;
  /** The text that the changelog will have. */
  readonly changes: string;
}

/** Clones the repository with everything that is committed, for a release that is tried. The caller removes the folder. */
export function cloneForRelease(into: string): string {
  const clone = join(into, 'next-release');
  execFileSync('git', ['-c', 'advice.detachedHead=false', 'clone', '--quiet', '--shared', repository, clone]);
  symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'));
  return clone;
}

/**
 * Applies the changesets of a checkout, to the client for Python too, and returns what they would release: nothing if none concerns a published package.
 * Throws if a changeset names an unknown package, or cannot be read.
 */
export function applyChangesets(clone: string): NextRelease[] {
  if (globSync('.changeset/*.md', { cwd: clone }).length === 0) return [];
  const manifests = () => publishedFolders().map((folder) => ({ folder, ...readManifest(join(clone, folder)) }));
  const before = new Map(manifests().map(({ folder, version }) => [folder, version]));
  const changesets = join(repository, 'node_modules/@changesets/cli/bin.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [changesets, 'version'], {
    cwd: clone,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the changesets cannot be released:\n${stdout}${stderr}`);
  writePythonVersion(clone);
  const released = manifests().filter(({ folder, version }) => version !== before.get(folder));
  return released.map(({ folder, name, version }) => {
    const [, changes = ''] = readFileSync(join(clone, folder, 'CHANGELOG.md'), 'utf8').split(/^## .*\n/m);
    return { name, version, changes: changes.trim() };
  });
}

/** The next release of everything that is committed. */
export function nextRelease(into: string): NextRelease[] {
  const clone = cloneForRelease(into);
  try {
    return applyChangesets(clone);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}
