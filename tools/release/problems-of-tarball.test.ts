import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { problemsOfTarball } from './problems-of-tarball.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'tarball-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const manifest = {
  name: 'example',
  version: '1.2.3',
  license: 'Apache-2.0',
  publishConfig: { access: 'public', provenance: true },
};
const whole = {
  LICENSE: 'Apache License',
  'README.md': '# example\n',
  'CHANGELOG.md': '# Changes\n\n## 1.2.3\n\n- One.\n',
  'package.json': JSON.stringify(manifest),
};

/** Packs these files as npm does, those that are undefined not. */
function pack(files: Readonly<Record<string, string | undefined>>): string {
  mkdirSync(join(folder, 'package'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'package', name)), { recursive: true });
    if (text !== undefined) writeFileSync(join(folder, 'package', name), text);
  }
  execFileSync('tar', ['-czf', 'example.tgz', 'package'], { cwd: folder });
  return join(folder, 'example.tgz');
}

it('a whole package has no problem', () => {
  expect(problemsOfTarball(pack(whole), '1.2.3')).toEqual([]);
});

it.each([
  [{ LICENSE: undefined }, 'example.tgz has no LICENSE'],
  [{ 'README.md': undefined }, 'example.tgz has no README.md'],
  [{ 'README.md': '\n' }, 'example.tgz has an empty README.md'],
  [{ 'CHANGELOG.md': '## 1.2.2\n' }, 'example.tgz says nothing of 1.2.3 in CHANGELOG.md'],
  [{ 'package.json': JSON.stringify({ ...manifest, license: undefined }) }, 'example.tgz names no licence'],
  [
    { 'package.json': JSON.stringify({ ...manifest, publishConfig: { access: 'public' } }) },
    'example.tgz is published without provenance',
  ],
  [{ 'package.json': JSON.stringify({ ...manifest, version: '1.2.2' }) }, 'example.tgz is 1.2.2, not 1.2.3'],
])('a package that was packed otherwise is not released: %j', (change, problem) => {
  expect(problemsOfTarball(pack({ ...whole, ...change }), '1.2.3')).toEqual([problem]);
});

it('a package that bundles one with dependencies is not released: npm 9 would not install them', () => {
  const files = {
    'node_modules/@a/b/package.json': '{"dependencies":{"c":"1.0.0"}}',
    'node_modules/d/package.json': '{}',
  };
  const problems = problemsOfTarball(pack({ ...whole, ...files }), '1.2.3');
  expect(problems).toEqual(['example.tgz has dependencies in node_modules/@a/b/package.json']);
});

it('a package without its changes is not released', () => {
  const problems = problemsOfTarball(pack({ ...whole, 'CHANGELOG.md': undefined }), '1.2.3');
  expect(problems).toContain('example.tgz has no CHANGELOG.md');
});
