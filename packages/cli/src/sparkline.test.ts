import { expect, it } from '@jest/globals';
import { toSparkline } from './sparkline.ts';

it('draws numbers as bars, nothing as a space, and the least that is something as the lowest bar', () => {
  expect(toSparkline([0, 1, 500, 1000])).toBe(' ▁▄█');
  expect(toSparkline([0, 0])).toBe('  ');
  expect(toSparkline([])).toBe('');
});
