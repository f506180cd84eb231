import { cpSync, existsSync, globSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Manifest,
  readInstalledManifest,
  readManifest,
  repository,
  workspacePackages,
} from './workspace-packages.ts';

const sourceCondition = '@tollgate/source';

/**
 * Packages of others that go inside without files that no service reads. Prisma's client brings the query compilers of
 * five databases, each four times: 60 MB of 72. Of the others, what is dropped is 30 MB: a second build for `require`,
 * maps, and fonts that no document uses.
 */
const trimmed: Readonly<Record<string, RegExp>> = {
  '@prisma/client': /(cockroachdb|mysql|sqlite|sqlserver|compiler_small|wasm-compiler-edge)|\.map$|\.d\.m?ts$/,
  'dejavu-fonts-ttf': /status\.txt$|\/ttf\/(?!DejaVuSans\.ttf$)./,
  stripe: /\/cjs\/|\.d\.ts$|CHANGELOG/,
  'swagger-ui-dist': /\.map$|es-bundle/,
};

/**
 * Copies a built package as a registry gets it: with its licence, and without what only the workspace needs. Packages of
 * the workspace that are not published go inside, and their dependencies become those of this one.
 */
export function stagePackage(folder: string, to: string): void {
  const manifest = readManifest(join(repository, folder));
  const inside = closureOf(manifest, (dependency) => dependency.private === true);
  copyFiles(join(repository, folder), to, manifest.files ?? []);
  for (const file of ['LICENSE', 'THIRD_PARTY_NOTICES']) cpSync(join(repository, file), join(to, file));
  for (const { path, manifest: part } of inside) {
    const target = join(to, 'node_modules', part.name);
    copyFiles(path, target, ['dist', 'migrations', 'data']);
    writeManifest(target, toPublished(part, {}));
  }
  const others = inside.flatMap((part) => copyTrimmed(part, to));
  const dependencies = dependenciesOf([manifest, ...inside.map((part) => part.manifest), ...others], 'dependencies');
  const optional = dependenciesOf(
    inside.map((part) => part.manifest),
    'optionalDependencies',
  );
  writeManifest(to, {
    ...toPublished(manifest, dependencies),
    ...(Object.keys(optional).length > 0 && { optionalDependencies: optional }),
    ...(inside.length > 0 && {
      bundleDependencies: [...inside.map((part) => part.manifest), ...others].map(({ name }) => name),
    }),
  });
  for (const file of globSync('dist/**/*.d.ts', { cwd: to })) rewriteImports(join(to, file));
}

/** Returns the manifests of the trimmed packages that a part needs. */
function copyTrimmed({ path, manifest }: Part, to: string): Manifest[] {
  return Object.keys(manifest.dependencies ?? {}).flatMap((name) => {
    const dropped = trimmed[name];
    if (dropped === undefined) return [];
    const from = realpathSync(join(path, 'node_modules', name));
    const isKept = (file: string): boolean => !dropped.test(file.slice(from.length));
    const target = join(to, 'node_modules', name);
    cpSync(from, target, { recursive: true, filter: isKept });
    const trimmedManifest = readInstalledManifest(from);
    writeManifest(target, toPublished(trimmedManifest, {})); // its dependencies became those of the package around it
    return [trimmedManifest];
  });
}

interface Part {
  readonly path: string;
  readonly manifest: Manifest;
}

/** The packages of the workspace that a package needs, directly or not, as far as `isInside` goes. */
function closureOf(manifest: Manifest, isInside: (manifest: Manifest) => boolean): Part[] {
  const found = new Map<string, Part>();
  const waiting = [manifest];
  for (const { dependencies = {} } of waiting) {
    for (const name of Object.keys(dependencies)) {
      const part = workspacePackages().get(name);
      if (part === undefined || found.has(name) || !isInside(part.manifest)) continue;
      found.set(name, part);
      waiting.push(part.manifest);
    }
  }
  return [...found.values()];
}

/** Returns the dependencies by name; a package of the workspace in the version that is released with this one. */
function dependenciesOf(manifests: readonly Manifest[], kind: 'dependencies' | 'optionalDependencies') {
  const entries = manifests.flatMap((manifest) => Object.entries(manifest[kind] ?? {}));
  const resolved = entries.map(([name, range]): [string, string] => {
    const version = workspacePackages().get(name)?.manifest.version;
    return [name, version ?? range];
  });
  return Object.fromEntries(resolved.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function toPublished(manifest: Manifest, dependencies: Readonly<Record<string, string>>): object {
  const dropped = new Set(['devDependencies', 'optionalDependencies', 'dependencies', 'private']);
  const entries = Object.entries(manifest).filter(([name]) => !dropped.has(name));
  return {
    ...Object.fromEntries(entries),
    ...(manifest.exports !== undefined && { exports: withoutSources(manifest.exports) }),
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
  };
}

function withoutSources(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== sourceCondition);
  return Object.fromEntries(entries.map(([name, entry]) => [name, withoutSources(entry)]));
}

/** Without the compiler's notes, maps of sources that are not there, and bundles, which are for this repository. */
function copyFiles(from: string, to: string, files: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const file of files) {
    const filter = (path: string): boolean => !/\.tsbuildinfo$|\.map$|\/dist\/bundle(\.\d+)?$/.test(path);
    if (existsSync(join(from, file))) cpSync(join(from, file), join(to, file), { recursive: true, filter });
  }
}

function writeManifest(folder: string, manifest: object): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** TypeScript writes `.ts` into declarations, which only its later versions read. */
function rewriteImports(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1'));
}
