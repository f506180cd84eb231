import { systemClock } from '@tollgate/kernel/clock';
import { describe, expect, it } from '@jest/globals';
import { parseJson } from './parse-json.ts';

function fastestMs(text: string): number {
  const bytes = Buffer.from(text);
  const rounds = Array.from({ length: 5 }, () => {
    const before = systemClock.monotonicMs();
    try {
      parseJson(bytes);
    } catch {
      // its answer is another test's business
    }
    return systemClock.monotonicMs() - before;
  });
  return Math.min(...rounds);
}

describe('F78 a hostile body costs under 5 ms', () => {
  it.each([
    ['10⁵ open brackets', '['.repeat(100_000)],
    ['10⁵ open objects', '{"a":'.repeat(100_000)],
    ['10⁵ backslashes', `"${'\\\\'.repeat(50_000)}`],
    ['10⁵ escapes', `"${'\\u0041'.repeat(16_000)}"`],
    ['10⁵ digits', '1'.repeat(100_000)],
    ['many small arrays', `[${'[],'.repeat(30_000)}[]]`],
  ])('%s', (_what, text) => {
    expect(fastestMs(text)).toBeLessThan(5);
  });
});
