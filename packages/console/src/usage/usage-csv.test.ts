import { expect, it } from '@jest/globals';
import type { Schemas } from '@tollgate/sdk/edge';
import { usageCsv } from './usage-csv.ts';

const row: Schemas['UsageRow'] = {
  start: '2026-11-21T00:00:00.000Z',
  calls: 3,
  successes: 2,
  failures: 1,
  duration_ms: 40,
  measures: { tokens: '1284.25' },
  charge_usd: 0.000001,
};

it('writes a line for each row, with the numbers of the API', () => {
  expect(usageCsv([row, { ...row, charge_usd: -12.5, measures: {} }])).toBe(
    'start,calls,successes,failures,duration_ms,charge_usd,measure.tokens\r\n' +
      '2026-11-21T00:00:00.000Z,3,2,1,40,0.000001,1284.25\r\n' +
      '2026-11-21T00:00:00.000Z,3,2,1,40,-12.5,\r\n',
  );
});

it.each([
  ['=HYPERLINK("https://elsewhere.example","x")', `"'=HYPERLINK(""https://elsewhere.example"",""x"")"`],
  ['+1+1', "'+1+1"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['research, and more', '"research, and more"'],
  ['-5', '-5'],
])('F364 writes the tag %j as text that no spreadsheet runs', (team, cell) => {
  const [, line = ''] = usageCsv([{ ...row, tags: { team } }]).split('\r\n');
  expect(line).toBe(`2026-11-21T00:00:00.000Z,3,2,1,40,0.000001,${cell},1284.25`);
});

it('has no line but the titles for no rows', () => {
  expect(usageCsv([])).toBe('\r\n');
});
