import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { applyChangesets, cloneForRelease } from './next-release.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'next-release-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function addChangeset(clone: string, text: string): void {
  writeFileSync(join(clone, '.changeset/planted.md'), text);
  execFileSync('git', ['add', '--all'], { cwd: clone });
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  execFileSync('git', [...author, 'commit', '--quiet', '--message', 'Plant a changeset'], { cwd: clone });
}

it('a changeset raises the version of all packages together, and its text goes into the changelog', () => {
  const clone = cloneForRelease(folder);
  addChangeset(clone, '---\n"@tollgate/sdk": minor\n---\n\nRecord calls faster.\n');
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

it('a changeset that names an unknown package is refused', () => {
  const clone = cloneForRelease(folder);
  addChangeset(clone, '---\n"@tollgate/no-such-package": minor\n---\n\nNothing.\n');
  expect(() => applyChangesets(clone)).toThrow('no-such-package');
});

it('a changeset for a package that no published one needs releases nothing', () => {
  const clone = cloneForRelease(folder);
  addChangeset(clone, '---\n"@tollgate/e2e": minor\n---\n\nKill more.\n');
  expect(applyChangesets(clone)).toEqual([]);
});
