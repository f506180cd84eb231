import { expect, it } from '@jest/globals';
import { readSignInSearch } from './sign-in-search.ts';

it.each(['/app', '/app/passes', '/app/calls?tool_id=weather&from=2026-11-01T00:00:00.000Z', '/app?x=1'])(
  'goes on to the page %s of the console',
  (next) => {
    expect(readSignInSearch({ next })).toEqual({ next });
  },
);

it.each([
  'https://elsewhere.example/app',
  '//elsewhere.example/app',
  '/application',
  '/docs',
  'javascript:alert(1)',
  '/app/\\elsewhere',
  '/app/\telsewhere',
  '/app/sign-in?next=/app',
  7,
])('F342 goes on to no address that is no page of it: %s', (next) => {
  expect(readSignInSearch({ next })).toEqual({});
});

it('says that a session has ended only where the console says so', () => {
  expect([readSignInSearch({ ended: 'yes' }), readSignInSearch({ ended: 'no' })]).toEqual([{ ended: 'yes' }, {}]);
});
