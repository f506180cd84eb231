import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = new URL('../..', import.meta.url).pathname;
const sourceCondition = '@tollgate/source';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The tarball of a built package, as a registry gets it: without what only the workspace needs. */
export function packPackage(folder: string, into: string): string {
  const staged = join(into, folder.replaceAll('/', '-'));
  stagePackage(join(repository, folder), staged);
  const output = npm(staged, ['pack', '--json', '--pack-destination', into]);
  const [{ filename = '' } = {}] = JSON.parse(output) as { filename?: string }[];
  return join(into, filename);
}

/** Runs npm as a stranger does: pnpm's settings, which its scripts hand on, mean nothing to it. */
export function npm(folder: string, args: readonly string[]): string {
  const { PATH, HOME } = process.env;
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', env: { PATH, HOME } });
}

/** Copies the files of a package, with its licence and with the manifest of the published package. */
function stagePackage(from: string, to: string): void {
  const manifest = readManifest(from);
  mkdirSync(to, { recursive: true });
  for (const file of manifest.files) cpSync(join(from, file), join(to, file), { recursive: true });
  cpSync(join(repository, 'LICENSE'), join(to, 'LICENSE'));
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(toPublished(manifest), null, 2)}\n`);
  for (const file of globSync('dist/**/*.d.ts', { cwd: to })) rewriteImports(join(to, file));
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest; // ours, see the interface
}

function toPublished(manifest: Manifest): object {
  const { exports, dependencies } = manifest;
  const entries = Object.entries(manifest).filter(([name]) => name !== 'devDependencies');
  return {
    ...Object.fromEntries(entries),
    ...(exports !== undefined && { exports: withoutSources(exports) }),
    ...(dependencies !== undefined && { dependencies: withVersions(dependencies) }),
  };
}

function withoutSources(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== sourceCondition);
  return Object.fromEntries(entries.map(([name, entry]) => [name, withoutSources(entry)]));
}

/** A package of the workspace is needed in the version that is released with this one. */
function withVersions(dependencies: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [
      name,
      range.startsWith('workspace:') ? versionOf(name) : range,
    ]),
  );
}

function versionOf(name: string): string {
  const [folder = ''] = globSync('{packages,services}/*/package.json', { cwd: repository })
    .map((path) => join(repository, path, '..'))
    .filter((path) => readManifest(path).name === name);
  return readManifest(folder).version;
}

/** TypeScript writes `.ts` into declarations, which only its later versions read. */
function rewriteImports(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1'));
}

/** Builds a package with the compiler of the workspace. */
export function buildPackage(folder: string): void {
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-b', join(repository, folder, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
}
