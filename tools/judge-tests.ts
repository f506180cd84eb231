/** The fields of jest's JSON report that decide. */
export interface JestReport {
  readonly success?: boolean;
  readonly wasInterrupted?: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Files that jest could not run. Their tests are not counted. */
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly JestFile[];
}

interface JestFile {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startTime: number;
  readonly endTime: number;
  /** The text that jest prints of the file. */
  readonly message?: string;
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}

/** One run of jest. A run that died leaves no report. */
export interface JestRun {
  readonly exitCode: number | null;
  readonly report: JestReport | undefined;
  /** Jest had to kill a worker at its end. */
  readonly hasStuckWorker?: boolean;
}

interface FailedFile {
  readonly file: string;
  readonly tests: readonly string[];
  /** Then jest counts the file as one that it could not run, too. */
  readonly hasFailedHook: boolean;
}

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  /** The files whose tests failed in the whole run and passed when run alone. */
  readonly flaky: readonly FailedFile[];
}

/** A noisy machine fails a few files by luck. More than this many point at the code. */
export const flakyFilesMax = 3;

/** The files with failed tests. A file that could not run is not among them: nothing about that is luck. */
export function failedFiles({ report }: JestRun): FailedFile[] {
  return (report?.testResults ?? []).flatMap(({ name, message = '', assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    const hasFailedHook = message.includes('Test suite failed to run');
    return tests.length > 0 ? [{ file: name, tests, hasFailedHook }] : [];
  });
}

/**
 * Counts the whole run. Tests of a flaky file count as passed, unless too many files are flaky. A file that could not
 * run, a skipped test, a worker that had to be killed and a run that died count as failures. So the counts never look
 * better than the run was.
 */
export function judgeTests(whole: JestRun, alone: ReadonlyMap<string, JestRun>): Verdict {
  const { report } = whole;
  if (!report) return { passed: 0, failed: 1, flaky: [] };
  const flaky = failedFiles(whole).filter(({ file }) => isClean(alone.get(file)));
  const forgivable = flaky.length > flakyFilesMax ? [] : flaky;
  const forgiven = forgivable.reduce((sum, { tests }) => sum + tests.length, 0);
  const forgivenHooks = forgivable.filter(({ hasFailedHook }) => hasFailedHook).length;
  const failures = report.numFailedTests + report.numRuntimeErrorTestSuites + skippedTests(report);
  const isUnexplained = report.numPassedTests === 0 || (whole.exitCode !== 0 && failures === 0);
  const died = report.wasInterrupted === true || (isUnexplained && failures === 0) ? 1 : 0;
  const stuck = whole.hasStuckWorker === true ? 1 : 0;
  const failed = failures - forgiven - forgivenHooks + died + stuck;
  return { passed: report.numPassedTests + forgiven, failed, flaky };
}

function isClean(run: JestRun | undefined): boolean {
  if (!run?.report || run.exitCode !== 0) return false;
  return run.report.numPassedTests > 0 && skippedTests(run.report) === 0;
}

function skippedTests({ numPendingTests, numTodoTests }: JestReport): number {
  return numPendingTests + numTodoTests;
}
