import { expect, it } from '@jest/globals';
import { isNewEnough } from './service.ts';

it.each([
  ['20.20.2', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['24.0.0', true],
])('whether Node %s can start the service: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected);
});
