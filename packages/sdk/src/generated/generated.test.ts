import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { sdkOperations, sdkTypes } from '../../test/support/sdk-types.ts';
import { version } from '../version.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

it('the types are those of the OpenAPI document (else: pnpm sdk-types)', async () => {
  expect(read('./openapi.ts')).toBe(await sdkTypes());
});

it('the table of operations is that of the routes (else: pnpm sdk-types)', () => {
  expect(read('./operations.ts')).toBe(sdkOperations());
});

it('the version is that of the package', () => {
  expect(JSON.parse(read('../../package.json'))).toMatchObject({ version });
});
