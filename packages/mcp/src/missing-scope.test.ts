import { expect, it } from '@jest/globals';

import { createFindMissingScope } from './missing-scope.ts';

const pass = { passId: 'p', tools: ['forecast'], isKey: false };
const all = 'tollgate:spend tollgate:tool:forecast tollgate:tool:history';

it('F346 names all scopes that a token should have, once within a minute for a pass and a tool', () => {
  let nowMs = 0;
  const find = createFindMissingScope(() => nowMs);
  expect([find(pass, 'history'), find(pass, 'history')]).toEqual([all, undefined]);
  expect(find({ ...pass, passId: 'q' }, 'history')).toBe(all);
  expect(find(pass, 'other')).toContain('tollgate:tool:other');
  nowMs = 59_999;
  expect(find(pass, 'history')).toBeUndefined();
  nowMs = 60_000;
  expect(find(pass, 'history')).toBe(all);
});

it('F346 names none to a pass that has the tool, or that has no consent', () => {
  const find = createFindMissingScope(() => 0);
  expect(find(pass, 'forecast')).toBeUndefined();
  expect(find({ ...pass, tools: '*' }, 'history')).toBeUndefined();
  expect(find({ ...pass, isKey: true }, 'history')).toBeUndefined();
});
