import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { pythonOperations, pythonTypes } from '../../test/support/python-types.ts';
import { operatorOperations, operatorTypes, sdkOperations, sdkTypes } from '../../test/support/sdk-types.ts';
import { version } from '../version.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

it('the types are those of the OpenAPI document (else: pnpm sdk-types)', async () => {
  expect(read('./openapi.ts')).toBe(await sdkTypes());
});

it('the table of operations is that of the routes (else: pnpm sdk-types)', () => {
  expect(read('./operations.ts')).toBe(sdkOperations());
});

it.each([
  ['operator-openapi.ts', operatorTypes],
  ['operator-operations.ts', operatorOperations],
])('the %s of the console is that of the routes of the operator (else: pnpm sdk-types)', async (name, write) => {
  expect(read(`../../../console/src/generated/${name}`)).toBe(await write());
});

it.each([
  ['types.py', pythonTypes],
  ['_operations.py', pythonOperations],
])('the %s of the Python client is that of the routes (else: pnpm sdk-types)', (name, write) => {
  expect(read(`../../../../clients/python/src/tollgate/${name}`)).toBe(write());
});

it('the version is that of the package', () => {
  expect(JSON.parse(read('../../package.json'))).toMatchObject({ version });
});
