import { readFileSync } from 'node:fs';

import { expect, it } from '@jest/globals';

import { createEdgeConfig } from './edge-config.ts';

it.each([
  ['nginx.conf', 'http'],
  ['nginx-tls.conf', 'https'],
] as const)('The edge routes as the table of routes says, in %s (else: pnpm edge-config)', (file, protocol) => {
  expect(readFileSync(new URL(`../deploy/edge/${file}`, import.meta.url), 'utf8')).toBe(createEdgeConfig(protocol));
});
