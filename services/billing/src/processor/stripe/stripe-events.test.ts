import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ownEventTypes } from './stripe-events.ts';

it('compares the events that docs/stripe.md has the endpoint of the platform send', () => {
  const text = readFileSync(new URL('../../../../../docs/stripe.md', import.meta.url), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith('   | your account')) ?? '';
  expect([...row.matchAll(/`([^`]+)`/g)].map(([, type]) => type)).toEqual([...ownEventTypes]);
});
