import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

import { isUnfit } from './is-unfit.ts';

interface Vector {
  readonly schema: unknown;
  readonly value: unknown;
  readonly unfit: boolean;
}

// The client for Python reads the same file.
const file = new URL('../test/argument-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];

it.each(vectors)('says of $value for $schema: $unfit', ({ schema, value, unfit }) => {
  expect(isUnfit(schema, value)).toBe(unfit);
});
