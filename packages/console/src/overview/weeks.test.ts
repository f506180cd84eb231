import { expect, it } from '@jest/globals';
import type { Schemas } from '@tollgate/sdk/edge';
import { changeOf, pairWeeks } from './weeks.ts';

const row = (tool: string, usd: number): Schemas['UsageRow'] => ({
  tool_id: tool,
  charge_usd: usd,
  calls: 1,
  successes: 1,
  failures: 0,
  duration_ms: 0,
  measures: {},
});

it('puts two weeks beside each other, and says of each tool what changed', () => {
  const now = [row('grew', 3), row('new', 0.1), row('shrank', 1), row('same', 2)];
  const before = [row('shrank', 5), row('grew', 1), row('same', 2), row('gone', 4)];
  expect(pairWeeks(now, before).map((weeks) => [weeks.tool, changeOf(weeks)])).toEqual([
    ['shrank', 'less'],
    ['gone', 'none any more'],
    ['grew', 'more'],
    ['same', 'the same'],
    ['new', 'new'],
  ]);
  expect(pairWeeks([], [])).toEqual([]);
});
