import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const repository = new URL('../..', import.meta.url).pathname;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface WorkspacePackage {
  readonly path: string;
  readonly manifest: Manifest;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest; // ours, see the interface
}

interface PnpmHooks {
  readonly hooks: { readPackage<Read extends Manifest>(manifest: Read): Read };
}

/** The manifest of an installed package as pnpm reads it: without what `.pnpmfile.cjs` takes away. */
export function readInstalledManifest<Read extends Manifest>(folder: string): Read {
  const require = createRequire(import.meta.url);
  const { hooks } = require('../../.pnpmfile.cjs') as PnpmHooks; // ours, see the file
  return hooks.readPackage(readManifest(folder) as Read); // a package that npm has packed
}

/** All packages of the workspace, by name. */
export function workspacePackages(): ReadonlyMap<string, WorkspacePackage> {
  const paths = globSync('{packages,services}/*/package.json', { cwd: repository });
  const found = paths.map((path) => join(repository, dirname(path)));
  return new Map(found.map((path) => [readManifest(path).name, { path, manifest: readManifest(path) }]));
}

/** The folders of the packages that are published. */
export function publishedFolders(): string[] {
  const published = [...workspacePackages().values()].filter(({ manifest }) => manifest.private !== true);
  return published.map(({ path }) => path.slice(repository.length)).sort();
}
