import { expect, it } from '@jest/globals';
import { dayBefore, dayEnd, dayOf, dayStart, daysUntil, hoursBefore } from './day.ts';

it('lists the days of a month until a time', () => {
  expect(daysUntil('2026-11-03T00:00:00.000Z')).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
  expect(daysUntil('2028-02-29T23:59:59.999Z')).toHaveLength(29);
});

it('finds full hours, also in another month', () => {
  expect(hoursBefore('2026-11-01T10:59:59.999Z', 0)).toBe('2026-11-01T10:00:00.000Z');
  expect(hoursBefore('2026-11-01T10:00:00.000Z', 168)).toBe('2026-10-25T10:00:00.000Z');
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
