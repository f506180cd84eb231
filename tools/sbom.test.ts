import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from '@jest/globals';

const repository = fileURLToPath(new URL('..', import.meta.url));
const inRepository = (path: string) => readFileSync(`${repository}/${path}`, 'utf8');

interface Sbom {
  readonly components: readonly { readonly name: string; readonly version: string; readonly purl: string }[];
}

it('the list of packages in an image has each of them once, by name and version, as the lockfile pins them', () => {
  const args = ['deploy/docker/write-sbom.mjs', '.', 'tollgate/auth'];
  const output = execFileSync(process.execPath, args, { cwd: repository, encoding: 'utf8', maxBuffer: 1 << 26 });
  const { components } = JSON.parse(output) as Sbom;
  const lockfile = inRepository('pnpm-lock.yaml');
  const unpinned = components.filter(({ name, version }) => !lockfile.includes(`${name}@${version}`));
  expect(unpinned).toEqual([]);
  expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
  const { dependencies } = JSON.parse(inRepository('services/auth/package.json')) as { dependencies: object };
  const foreign = Object.entries(dependencies).filter(([, version]) => !String(version).startsWith('workspace:'));
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  expect(foreign.map(([name, version]) => `${name}@${version}`).filter((name) => !listed.has(name))).toEqual([]);
});

it('the list names the packages that the files of the console have inside', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    mkdirSync(join(folder, 'node_modules/.pnpm'), { recursive: true });
    mkdirSync(join(folder, 'packages/console/dist'), { recursive: true });
    const inside = [{ name: '@mantine/core', version: '1.2.3', license: 'MIT' }];
    writeFileSync(join(folder, 'packages/console/dist/packages.json'), JSON.stringify(inside));
    const args = ['deploy/docker/write-sbom.mjs', folder, 'tollgate/billing'];
    const { components } = JSON.parse(
      execFileSync(process.execPath, args, { cwd: repository, encoding: 'utf8' }),
    ) as Sbom;
    expect(components.map(({ purl }) => purl)).toEqual(['pkg:npm/%40mantine/core@1.2.3']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('the build of an image writes that list into it', () => {
  expect(inRepository('deploy/docker/Dockerfile')).toMatch(/write-sbom\.mjs \. .* > \/out\/sbom\.cdx\.json/);
  expect(inRepository('deploy/docker/Dockerfile')).toMatch(/write-sbom\.mjs \. tollgate\/cli > \/out\/sbom\.cdx\.json/);
  expect(inRepository('.dockerignore').split('\n')).toContain('!deploy/docker/write-sbom.mjs');
});
