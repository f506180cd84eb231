import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { applyChangesets, cloneForRelease } from './next-release.ts';
import { readManifest, repository } from './workspace-packages.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'next-release-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The only one: what waits in the repository is another matter. */
function plantChangeset(clone: string, text: string): void {
  for (const file of globSync('.changeset/*.md', { cwd: clone })) rmSync(join(clone, file));
  writeFileSync(join(clone, '.changeset/planted.md'), text);
  execFileSync('git', ['add', '--all'], { cwd: clone });
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  execFileSync('git', [...author, 'commit', '--quiet', '--message', 'Plant a changeset'], { cwd: clone });
}

it('a changeset raises the version of all packages together, and its text goes into the changelog', () => {
  const clone = cloneForRelease(folder);
  plantChangeset(clone, '---\n"@tollgate/sdk": minor\n---\n\nRecord calls faster.\n');
  const releases = applyChangesets(clone);
  expect(releases.map(({ name }) => name)).toEqual([
    'tollgate',
    '@tollgate/mcp',
    '@tollgate/middleware',
    '@tollgate/sdk',
  ]);
  expect(new Set(releases.map(({ version }) => version)).size).toBe(1);
  expect(releases.at(-1)?.changes).toContain('Record calls faster.');
});

it('the client for Python gets the version of the npm packages', () => {
  const clone = cloneForRelease(folder);
  plantChangeset(clone, '---\n"@tollgate/sdk": minor\n---\n\nRecord calls faster.\n');
  const version = applyChangesets(clone)[0]?.version ?? '';
  const read = (name: string): string => readFileSync(join(clone, 'clients/python', name), 'utf8');
  expect(version).not.toBe(readManifest(join(repository, 'packages/sdk')).version);
  expect(read('pyproject.toml')).toContain(`\nversion = "${version}"\n`);
  expect(read('src/tollgate/_version.py')).toBe(`VERSION = "${version}"\n`);
  expect(read('CHANGELOG.md')).toMatch(`# Changes\n\n## ${version}\n`);
});

it('a changeset that names an unknown package is refused', () => {
  const clone = cloneForRelease(folder);
  plantChangeset(clone, '---\n"@tollgate/no-such-package": minor\n---\n\nNothing.\n');
  expect(() => applyChangesets(clone)).toThrow('no-such-package');
});

it('a changeset for a package that no published one needs releases nothing', () => {
  const clone = cloneForRelease(folder);
  plantChangeset(clone, '---\n"@tollgate/e2e": minor\n---\n\nKill more.\n');
  expect(applyChangesets(clone)).toEqual([]);
});
