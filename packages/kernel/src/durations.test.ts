import { expect, it } from '@jest/globals';
import { dayMs, hourMs, minuteMs, sayDuration } from './durations.ts';

it.each([
  [0, '0 seconds'],
  [1_400, '1 seconds'],
  [119_999, '120 seconds'],
  [2 * minuteMs, '2 minutes'],
  [47 * hourMs, '47 hours'],
  [21.4 * dayMs, '21 days'],
])('%d ms are %s', (ms, text) => {
  expect(sayDuration(ms)).toBe(text);
});
