import { expect, it } from '@jest/globals';
import { dayBefore, dayEnd, dayOf, dayStart, readCallsSearch } from './calls-search.ts';

it('reads the filters of an address, and nothing else', () => {
  expect(readCallsSearch({ tool_id: 'weather', pass_id: '', cursor: 7, other: 'x' })).toEqual({ tool_id: 'weather' });
});

it('turns a day into the times of its start and its end, and back', () => {
  expect([dayStart('2026-11-30'), dayEnd('2026-11-30')]).toEqual([
    '2026-11-30T00:00:00.000Z',
    '2026-12-01T00:00:00.000Z',
  ]);
  expect([dayOf('2026-11-30T00:00:00.000Z'), dayBefore('2026-12-01T00:00:00.000Z')]).toEqual([
    '2026-11-30',
    '2026-11-30',
  ]);
  expect([dayStart(''), dayEnd('tomorrow'), dayOf(undefined), dayBefore('soon')]).toEqual([
    undefined,
    undefined,
    '',
    '',
  ]);
});
