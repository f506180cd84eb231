import { describe, expect, it } from '@jest/globals';

import { startAgeMs } from './start-age.ts';

describe('startAgeMs', () => {
  const processStart = { beganMs: 1_800_000_000_000, ageMs: 2_000 };

  it('counts from the begin that it is given', () => {
    expect(startAgeMs('1799999970000', processStart)).toBe(32_000);
    expect(startAgeMs('1800000000000', processStart)).toBe(2_000);
  });

  it.each([undefined, '', ' ', '0', 'soon', 'Infinity', '-1', '1800000000001', '1799996399999'])(
    'counts from the start of the process, given %p',
    (given) => {
      expect(startAgeMs(given, processStart)).toBe(2_000);
    },
  );
});
