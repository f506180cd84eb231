import { systemClock } from '@tollgate/kernel/clock';
import { describe, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
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

describe('F78 a hostile body costs under 5 ms', () => {
  it.each([
    ['10⁵ open brackets', '['.repeat(100_000)],
    ['10⁵ open objects', '{"a":'.repeat(100_000)],
    ['10⁵ backslashes', `"${'\\\\'.repeat(50_000)}`],
    ['10⁵ escapes', `"${'\\u0041'.repeat(16_000)}"`],
    ['10⁵ digits', '1'.repeat(100_000)],
    ['many small arrays', `[${'[],'.repeat(30_000)}[]]`],
  ])('%s', async (_what, text) => {
    await eventually(() => tookMs(text) < 5, { withinMs: 1_000 }); // whatever else the machine does meanwhile
  });
});
