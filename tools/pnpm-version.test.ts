import { readFileSync } from 'node:fs';

import { expect, it } from '@jest/globals';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

it('images are built by the pnpm that package.json pins', () => {
  const { packageManager } = JSON.parse(read('../package.json')) as { readonly packageManager: string };
  const [, version] = /^ARG PNPM_VERSION=(.+)$/m.exec(read('../deploy/docker/Dockerfile')) ?? [];
  expect(packageManager).toBe(`pnpm@${version}`);
});
