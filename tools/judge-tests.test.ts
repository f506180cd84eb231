import { describe, expect, it } from '@jest/globals';

import { failedFiles, judgeTests, type JestReport, type JestRun } from './judge-tests.ts';

const time = { startTime: 0, endTime: 0 };

/** A run of jest: for each file, the status of its tests, which are named t1, t2 and so on. */
function run(files: Readonly<Record<string, readonly string[]>>, more: Partial<JestReport> = {}): JestRun {
  const statuses = Object.values(files).flat();
  const count = (status: string) => statuses.filter((each) => each === status).length;
  const report: JestReport = {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    numRuntimeErrorTestSuites: 0,
    testResults: Object.entries(files).map(([name, tests]) => ({
      name,
      ...time,
      assertionResults: tests.map((status, index) => ({ fullName: `t${index + 1}`, status })),
    })),
    ...more,
  };
  const isGreen = count('failed') === 0 && report.numRuntimeErrorTestSuites === 0;
  return { exitCode: isGreen ? 0 : 1, report };
}

const green = run({ again: ['passed', 'passed'] });
const red = run({ again: ['failed', 'passed'] });
const none = new Map<string, JestRun>();
const oneFailed = run({ good: ['passed'], a: ['passed', 'failed'] });

/** So many files with one passed and one failed test each. */
const failing = (files: number) =>
  run(Object.fromEntries(Array.from({ length: files }, (_, index) => [`f${index}`, ['passed', 'failed']])));
const allGreen = (whole: JestRun) => new Map(failedFiles(whole).map(({ file }) => [file, green]));

describe('the counts of a run', () => {
  it('are those of jest when all is well', () => {
    expect(judgeTests(run({ a: ['passed', 'passed'], b: ['passed'] }), none)).toEqual({
      passed: 3,
      failed: 0,
      flaky: [],
    });
  });

  it('count the tests of a flaky file as passed and name them', () => {
    const flaky = [{ file: 'a', tests: ['t2'], hasFailedHook: false }];
    expect(judgeTests(oneFailed, new Map([['a', green]]))).toEqual({ passed: 3, failed: 0, flaky });
  });

  it('have one failure more where jest had to kill a worker', () => {
    const whole = { ...run({ a: ['passed', 'passed'] }), hasStuckWorker: true };
    expect(judgeTests(whole, none)).toEqual({ passed: 2, failed: 1, flaky: [] });
  });

  it('forgive a flaky file its hook, which jest counts as a file that could not run', () => {
    const message = '● Test suite failed to run';
    const testResults = [{ name: 'a', message, ...time, assertionResults: [{ fullName: 't1', status: 'failed' }] }];
    const whole = run({ a: ['failed'], b: ['passed'] }, { testResults, numRuntimeErrorTestSuites: 1 });
    expect(judgeTests(whole, new Map([['a', green]]))).toMatchObject({ passed: 2, failed: 0 });
    expect(judgeTests(whole, new Map([['a', red]]))).toMatchObject({ passed: 1, failed: 2 });
  });

  it.each<[string, JestRun | undefined]>([
    ['failed again', red],
    ['was not run again', undefined],
    ['died the second time', { exitCode: null, report: undefined }],
    ['could not run the second time', run({}, { numRuntimeErrorTestSuites: 1 })],
    ['was skipped the second time', run({ a: ['passed', 'pending'] })],
    ['ran no test the second time', run({})],
    ['left jest with an error the second time', { ...green, exitCode: 1 }],
  ])('keep the failures of a file that %s', (_what, second) => {
    const alone = second ? new Map([['a', second]]) : none;
    expect(judgeTests(oneFailed, alone)).toEqual({ passed: 2, failed: 1, flaky: [] });
  });

  it('forgive three flaky files, and none of four', () => {
    const [three, four] = [failing(3), failing(4)];
    expect(judgeTests(three, allGreen(three))).toMatchObject({ passed: 6, failed: 0 });
    expect(judgeTests(four, allGreen(four))).toMatchObject({ passed: 4, failed: 4, flaky: { length: 4 } });
  });

  it.each<[string, JestRun, number]>([
    ['a file that could not run', run({ a: ['passed'] }, { numRuntimeErrorTestSuites: 1 }), 1],
    ['a skipped test', run({ a: ['passed', 'pending'] }), 1],
    ['a test that is still to be written', run({ a: ['passed', 'todo'] }), 1],
    ['an interrupted run', run({ a: ['passed'] }, { wasInterrupted: true }), 1],
    ['a run that failed for no reason in its report', { ...run({ a: ['passed'] }), exitCode: 1 }, 1],
    ['a run in which nothing passed', run({}), 1],
    ['a run that died', { exitCode: null, report: undefined }, 1],
    ['a flaky file beside one that could not run', run({ a: ['failed'] }, { numRuntimeErrorTestSuites: 1 }), 1],
  ])('have a failure for %s', (_what, whole, failed) => {
    expect(judgeTests(whole, new Map([['a', green]])).failed).toBe(failed);
  });
});
