import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { faultCatalogue } from './fault-catalogue.ts';
import { faultReportPage } from './fault-report-page.ts';
import type { FaultReport } from './fault-report.ts';
import { rowsOfTests, withUntested, type TestOutcome } from './rows-of-tests.ts';

const outcome = (titles: string[], status: TestOutcome['status'] = 'passed', file = 'a.test.ts'): TestOutcome => ({
  file,
  titles,
  status,
});
const short = (outcomes: TestOutcome[]) =>
  rowsOfTests(outcomes).map(({ id, test, status }) => `${id} ${test} ${status}`);

describe('rows of tests', () => {
  it('names a test under each of the ids that lead its title, and no other', () => {
    expect(
      short([outcome(['F50, F53 are paid']), outcome(['F72 O5 shows F01 nothing']), outcome(['as F01 does'])]),
    ).toEqual([
      'F50 a.test.ts: F50, F53 are paid passed',
      'F53 a.test.ts: F50, F53 are paid passed',
      'F72 a.test.ts: F72 O5 shows F01 nothing passed',
    ]);
  });

  it('makes one row of the tests under a describe that names a fault, as bad as the worst of them', () => {
    const inner = (title: string, status: TestOutcome['status']) =>
      outcome(['gateway', 'F81 smuggling', title], status);
    expect(short([inner('a', 'skipped'), inner('b', 'passed')])).toEqual([
      'F81 a.test.ts: gateway › F81 smuggling passed',
    ]);
    expect(short([inner('a', 'failed'), inner('b', 'passed'), inner('F76 c', 'skipped')])).toEqual([
      'F81 a.test.ts: gateway › F81 smuggling failed',
      'F76 a.test.ts: gateway › F81 smuggling › F76 c skipped',
    ]);
  });

  it('knows no fault that is in no catalogue', () => {
    expect(() => rowsOfTests([outcome(['F99 is new'])])).toThrow('F99 is in no catalogue');
  });

  it('has every fault of the catalogue, and says plainly which has no test', () => {
    const rows = withUntested(rowsOfTests([outcome(['F02 b'], 'passed', 'b.test.ts'), outcome(['F02 a'])]));
    expect([...new Set(rows.map(({ id }) => id))]).toEqual(Object.keys(faultCatalogue));
    expect(rows.slice(0, 3)).toEqual([
      { id: 'F01', guarantee: faultCatalogue['F01'], test: null, status: 'untested' },
      { id: 'F02', guarantee: faultCatalogue['F02'], test: 'a.test.ts: F02 a', status: 'passed' },
      { id: 'F02', guarantee: faultCatalogue['F02'], test: 'b.test.ts: F02 b', status: 'passed' },
    ]);
  });
});

describe('docs/faults', () => {
  const docs = new URL('../../../../docs/', import.meta.url);
  const report = JSON.parse(readFileSync(new URL('faults.json', docs), 'utf8')) as FaultReport; // as changeFaultReport writes it

  it('has a row for each fault of the catalogue, in its words: `pnpm faults` writes it anew', () => {
    expect([...new Set(report.rows.map(({ id }) => id))]).toEqual(Object.keys(faultCatalogue));
    for (const { id, guarantee, test, status } of report.rows) {
      expect({ id, guarantee }).toEqual({ id, guarantee: faultCatalogue[id] });
      expect(status === 'untested').toBe(test === null);
    }
  });

  it('is the same report for people and for programs', () => {
    expect(readFileSync(new URL('faults.md', docs), 'utf8')).toBe(faultReportPage(report));
  });
});
