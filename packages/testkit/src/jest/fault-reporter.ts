import { existsSync } from 'node:fs';
import { relative } from 'node:path';

import { changeFaultReport, repository } from '../faults/report-files.ts';
import { rowsOfTests, withUntested, type TestOutcome } from '../faults/rows-of-tests.ts';

/** What jest tells of a file of tests, as far as it matters here. */
interface TestFileResult {
  readonly testFilePath: string;
  readonly testResults: readonly {
    readonly ancestorTitles: readonly string[];
    readonly title: string;
    readonly status: string;
  }[];
}

/**
 * `pnpm faults`, which sets KEEP_FAULTS: after the run, writes what became of each test that is titled by a fault to
 * docs/faults.json and its page. Files that did not run keep what they had; those that are gone lose it. Any other run
 * changes no file.
 */
export default class FaultReporter {
  readonly #files = new Set<string>();
  readonly #outcomes: TestOutcome[] = [];
  #error: Error | undefined;

  onTestResult(_test: unknown, { testFilePath, testResults }: TestFileResult): void {
    const file = relative(repository, testFilePath);
    this.#files.add(file);
    for (const { ancestorTitles, title, status } of testResults) {
      const known = status === 'passed' || status === 'failed' ? status : 'skipped';
      this.#outcomes.push({ file, titles: [...ancestorTitles, title], status: known });
    }
  }

  onRunComplete(_contexts: unknown, { wasInterrupted }: { readonly wasInterrupted: boolean }): void {
    if (wasInterrupted || !process.env['KEEP_FAULTS']) return;
    try {
      const renewed = rowsOfTests(this.#outcomes);
      changeFaultReport(({ runs, rows }) => ({
        runs,
        rows: withUntested([...rows.filter(({ test }) => test !== null && this.#isKept(test)), ...renewed]),
      }));
    } catch (error) {
      this.#error = error instanceof Error ? error : new Error(String(error));
    }
  }

  /** What makes the run red. */
  getLastError(): Error | undefined {
    return this.#error;
  }

  #isKept(test: string): boolean {
    const file = test.split(': ', 1)[0] ?? '';
    return !this.#files.has(file) && existsSync(repository + file);
  }
}
