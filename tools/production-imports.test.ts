import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from '@jest/globals';

const repository = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A user who installs these packages brings their peers. An image installs nothing but dependencies. */
const published = ['packages/sdk', 'packages/mcp', 'packages/middleware'];

const imported =
  /(?:^|\n)(?:import|export) (?!type\b)[^;]*?from '([^'.][^']*)'|(?:^|[^\w.])import\('([^'.][^']*)'\)|(?:^|\n)import '([^'.][^']*)'/g;

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Packages that the built code needs, and that an install without development dependencies does not bring. */
function missingIn(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) as Manifest;
  const peers = published.includes(folder) ? manifest.peerDependencies : {};
  const known = new Set(Object.keys({ ...manifest.dependencies, ...peers }));
  const sources = globSync('src/**/*.ts', { cwd: join(repository, folder) }).filter(
    (path) => !path.endsWith('.test.ts'),
  );
  const needed = sources.flatMap((path) => {
    const text = readFileSync(join(repository, folder, path), 'utf8');
    return [...text.matchAll(imported)].map(([, named, dynamic, bare]) => packageOf(named ?? dynamic ?? bare ?? ''));
  });
  const own = `@tollgate/${folder.split('/')[1]}`;
  return [...new Set(needed)]
    .filter((name) => !name.startsWith('node:') && name !== own && !known.has(name))
    .toSorted();
}

const folders = globSync('{packages,services}/*/package.json', { cwd: repository }).map(dirname).toSorted();

/** testkit is in no image, and the console has inside what it imports. */
const withoutImports = ['packages/testkit', 'packages/console'];

it.each(folders.filter((folder) => !withoutImports.includes(folder)))(
  'an image of %s has every package that its code imports',
  (folder) => expect(missingIn(folder)).toEqual([]),
);

it('reads the imports of a package', () => {
  expect(folders.length).toBeGreaterThan(10);
  expect([
    ..."import a from 'x';\nimport type { B } from 'y';\nimport 'z';\nawait import('@s/w/v')".matchAll(imported),
  ]).toHaveLength(3);
});
