import { systemClock } from '@tollgate/kernel/clock';
import { describe, expect, it } from '@jest/globals';
import { busyMs } from '@tollgate/testkit/eventually';
import { parseJson } from './parse-json.ts';

function tookMs(text: string): number {
  const bytes = Buffer.from(text);
  const startedMs = systemClock.monotonicMs();
  try {
    parseJson(bytes);
  } catch {
    // its answer is another test's business
  }
  return systemClock.monotonicMs() - startedMs;
}

it('skips a byte order mark before the text, and none within', () => {
  expect(parseJson(Buffer.from('\ufeff{"a":"\ufeffb"}'))).toEqual({ a: '\ufeffb' });
  expect(() => parseJson(Buffer.from('\ufeff\ufeff{}'))).toThrow('not valid JSON');
});

/** Each byte is looked at a few times: some ms per million. Were it once per byte before it, that would be 10¹¹ looks. */
describe('F78 the time of a hostile body grows no faster than its size', () => {
  it.each([
    ['10⁶ open brackets', '['.repeat(1_000_000)],
    ['10⁶ open objects', '{"a":'.repeat(1_000_000)],
    ['10⁶ backslashes', `"${'\\\\'.repeat(500_000)}`],
    ['10⁶ escapes', `"${'\\u0041'.repeat(160_000)}"`],
    ['10⁶ digits', '1'.repeat(1_000_000)],
    ['many small arrays', `[${'[],'.repeat(300_000)}[]]`],
  ])('%s', (_what, text) => {
    expect(tookMs(text)).toBeLessThan(50 + busyMs);
  });
});
