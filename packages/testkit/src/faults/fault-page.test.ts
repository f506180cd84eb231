import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { faultCatalogue } from './fault-catalogue.ts';
import { readResults, withLaneRun, withResults, withRun } from './fault-page.ts';
import { repository } from './repository.ts';
import { resultsOfTests, type TestOutcome } from './results-of-tests.ts';

const outcome = (titles: string[], status: TestOutcome['status'] = 'passed', file = 'a.test.ts'): TestOutcome => ({
  file,
  titles,
  status,
});
const emptyPage =
  '<!-- lanes -->\n<!-- /lanes -->\n<!-- runs -->\n<!-- /runs -->\n<!-- faults -->\n<!-- /faults -->\nend\n';

describe('results of tests', () => {
  it('names a file under each of the ids that lead a title, and no other', () => {
    const outcomes = [outcome(['F50, F53 are paid']), outcome(['F72 O5 shows F01 nothing']), outcome(['as F01 does'])];
    expect(resultsOfTests(outcomes)).toEqual([
      { id: 'F50', file: 'a.test.ts', tests: 1, status: 'passed' },
      { id: 'F53', file: 'a.test.ts', tests: 1, status: 'passed' },
      { id: 'F72', file: 'a.test.ts', tests: 1, status: 'passed' },
    ]);
  });

  it('counts a describe that names a fault once, failed if one of its tests is, skipped if all of them are', () => {
    const statusOf = (...statuses: TestOutcome['status'][]) =>
      resultsOfTests(statuses.map((status, at) => outcome(['gateway', 'F81 smuggling', `case ${at}`], status)));
    expect(statusOf('skipped', 'passed')).toEqual([{ id: 'F81', file: 'a.test.ts', tests: 1, status: 'passed' }]);
    expect(statusOf('failed', 'passed')).toMatchObject([{ status: 'failed' }]);
    expect(statusOf('skipped', 'skipped')).toMatchObject([{ status: 'skipped' }]);
  });

  it('gives a file with several titles the worst result of them', () => {
    const outcomes = [outcome(['F02 a']), outcome(['F02 b'], 'skipped'), outcome(['F02 c'])];
    expect(resultsOfTests(outcomes)).toEqual([{ id: 'F02', file: 'a.test.ts', tests: 3, status: 'skipped' }]);
    expect(resultsOfTests([...outcomes, outcome(['F02 d'], 'failed')])).toMatchObject([{ tests: 4, status: 'failed' }]);
  });

  it('refuses a fault that is not in the catalogue', () => {
    expect(() => resultsOfTests([outcome(['F999 is new'])])).toThrow('F999 is not in the catalogue');
  });
});

describe('the page of faults', () => {
  it('has each fault of the catalogue in order, with its files sorted and what did not pass', () => {
    const outcomes = [outcome(['F02 b'], 'failed', 'b.test.ts'), outcome(['F02 a']), outcome(['F02 c'])];
    const lines = withResults(emptyPage, resultsOfTests(outcomes)).split('\n');
    const rows = lines.filter((line) => line.startsWith('| F0') || line.startsWith('| F9'));
    expect(rows[0]).toBe(`| F01 | ${faultCatalogue['F01']} |  |  | untested |`);
    expect(rows[1]).toBe(
      `| F02 | ${faultCatalogue['F02']} | \`a.test.ts\` (2)<br>\`b.test.ts\` failed | short | failed |`,
    );
    expect(lines.filter((line) => /^\| F\d+ /.test(line))).toHaveLength(Object.keys(faultCatalogue).length);
    expect(lines.slice(-3)).toEqual(['<!-- /faults -->', 'end', '']);
  });

  it('is read as it was written', () => {
    const outcomes = [outcome(['F02 b'], 'skipped', 'b.test.ts'), outcome(['F04 a']), outcome(['F04 c'])];
    const results = resultsOfTests(outcomes);
    const page = withResults(emptyPage, results);
    expect(readResults(page)).toEqual(results);
    expect(withResults(page, readResults(page))).toBe(page);
  });

  it('says in which lane a fault is shown', () => {
    const lanes = (...files: string[]) => {
      const outcomes = files.map((file) => outcome(['F02 a'], 'passed', file));
      const line = withResults(emptyPage, resultsOfTests(outcomes))
        .split('\n')
        .find((row) => row.startsWith('| F02 '));
      return line?.split(' | ').at(-2);
    };
    expect(lanes('a.int.test.ts')).toBe('short');
    expect(lanes('a.long.int.test.ts')).toBe('long');
    expect(lanes('a.int.test.ts', 'a.long.int.test.ts')).toBe('both');
  });

  it('keeps the last run of each lane', () => {
    const run = { date: '2026-11-22', commit: 'abc', machine: 'm', minutes: 14, passed: 6_000, failed: 0 };
    const short = withLaneRun(emptyPage, { lane: 'short', ...run });
    const page = withLaneRun(withLaneRun(short, { lane: 'long', ...run }), { lane: 'short', ...run, commit: 'def' });
    const [, first, second, end] = page.split('\n');
    expect([first, second, end]).toEqual([
      '| long | 2026-11-22 | abc | m | 14 | 6,000 | 0 |',
      '| short | 2026-11-22 | def | m | 14 | 6,000 | 0 |',
      '<!-- /lanes -->',
    ]);
  });

  it('adds a run below the others', () => {
    const where = { size: 'minutes', date: '2026-11-22', seed: 7, commit: 'abc', machine: 'm' };
    const counts = { acknowledged: 1_000, unknown: 2, faults: 3, lost: 0, doubled: 0, invented: 0 };
    const run = { ...where, ...counts, recoveryMs: { p50: 1, p99: 9 } };
    const page = withRun(withRun(emptyPage, run), { ...run, seed: 8 });
    const [, , , first, second, end] = page.split('\n');
    expect(first).toBe('| 2026-11-22 | minutes | 7 | abc | m | 1,000 | 2 | 3 | 0 | 0 | 0 | 1 / 9 ms |');
    expect(second).toContain('| 8 | abc |');
    expect(end).toBe('<!-- /runs -->');
  });
});

describe('docs/faults.md', () => {
  const page = readFileSync(`${repository}docs/faults.md`, 'utf8');

  it('has the faults and promises of the catalogue (else run pnpm faults)', () => {
    expect(page).toBe(withResults(page, readResults(page)));
  });

  it('has each fault that a title names, so that a run can be recorded', () => {
    const files = execFileSync('git', ['ls-files', '*.test.ts', '*.contract.ts'], {
      cwd: repository,
      encoding: 'utf8',
    });
    const named = files
      .split('\n')
      .filter((file) => file !== '' && !file.endsWith('fault-page.test.ts') && existsSync(repository + file))
      .flatMap((file) => {
        const titles = readFileSync(repository + file, 'utf8').matchAll(/(?<=[('`] *|\n *['`])((?:F\d+,? )+)/g);
        return Array.from(titles, ([ids]) => ids).flatMap((ids) => ids.match(/F\d+/g) ?? []);
      });
    expect(named.length).toBeGreaterThan(500);
    expect([...new Set(named)].filter((id) => !(id in faultCatalogue))).toEqual([]);
  });

  it('names only files that exist', () => {
    const named = new Set(Array.from(page.matchAll(/`([\w./-]+\/[\w./-]+)`/g), ([, path = '']) => path));
    expect(named.size).toBeGreaterThan(50);
    expect([...named].filter((path) => !existsSync(repository + path))).toEqual([]);
  });
});
