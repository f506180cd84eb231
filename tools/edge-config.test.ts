import { readFileSync } from 'node:fs';

import { expect, it } from '@jest/globals';

import { createEdgeConfig } from './edge-config.ts';

it('The edge routes as the table of routes says (else: pnpm edge-config)', () => {
  expect(readFileSync(new URL('../deploy/edge/nginx.conf', import.meta.url), 'utf8')).toBe(createEdgeConfig());
});
