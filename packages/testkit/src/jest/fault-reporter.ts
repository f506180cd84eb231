import { existsSync } from 'node:fs';
import { relative } from 'node:path';

import { systemClock } from '@tollgate/kernel/clock';

import { changeFaultPage } from '../faults/change-fault-page.ts';
import { keepLaneRun } from '../faults/keep-fault-run.ts';
import { readResults, withResults } from '../faults/fault-page.ts';
import { cleanCommit, repository } from '../faults/repository.ts';
import { resultsOfTests, type TestOutcome } from '../faults/results-of-tests.ts';

/** The part of jest's result for one test file that is read here. */
interface TestFileResult {
  readonly testFilePath: string;
  readonly testResults: readonly {
    readonly ancestorTitles: readonly string[];
    readonly title: string;
    readonly status: string;
  }[];
}

/** The part of jest's result for the whole run that is read here. */
interface WholeRun {
  readonly wasInterrupted: boolean;
  /** Milliseconds since 1970. */
  readonly startTime: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

/**
 * `pnpm faults`, which sets KEEP_FAULTS: after the run, writes the result of each test that is titled by a fault to
 * docs/faults.md. Files that did not run keep their results; files that no longer exist lose them. With uncommitted
 * changes no result is recorded, and only the catalogue's words are written anew. A whole run of a lane is recorded with its
 * counts. Any other run changes no file.
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

  onRunComplete(_contexts: unknown, run: WholeRun): void {
    if (run.wasInterrupted || !process.env['KEEP_FAULTS']) return;
    try {
      this.#writePage();
      keepLane(run);
    } catch (error) {
      this.#error = error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Jest ends with 1 if this returns an error. */
  getLastError(): Error | undefined {
    return this.#error;
  }

  #writePage(): void {
    const isClean = cleanCommit() !== undefined;
    if (!isClean) process.stderr.write('No result is recorded in docs/faults.md: there are uncommitted changes.\n');
    const renewed = isClean ? resultsOfTests(this.#outcomes) : [];
    changeFaultPage((page) => {
      const kept = readResults(page).filter(({ file }) => existsSync(repository + file));
      return withResults(page, [...kept.filter(({ file }) => !isClean || !this.#files.has(file)), ...renewed]);
    });
  }
}

function keepLane({ startTime, numPassedTests, numFailedTests }: WholeRun): void {
  const { TEST_LANE: lane, TEST_ALONE: isAlone } = process.env;
  if (isAlone !== undefined || (lane !== 'short' && lane !== 'long')) return; // only some files ran
  const minutes = Math.round((systemClock.now() - startTime) / 60_000);
  keepLaneRun({ lane, minutes, passed: numPassedTests, failed: numFailedTests });
}
