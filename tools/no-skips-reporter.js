/**
 * A suite whose server is missing is skipped with the reason, which helps on a laptop. With CI=true the same silence
 * would pass for success, so there a skipped test fails the run.
 */
export default class NoSkipsReporter {
  #skipped = [];

  onTestResult(_test, { testFilePath, testResults }) {
    if (!process.env.CI) return;
    for (const { fullName, status } of testResults) {
      if (status === 'pending' || status === 'todo') this.#skipped.push(`${fullName} (${testFilePath})`);
    }
  }

  onRunComplete() {
    if (this.#skipped.length > 0) console.error(`Skipped, and CI=true:\n  ${this.#skipped.join('\n  ')}`);
  }

  /** The error makes the run red; jest does not print it. */
  getLastError() {
    if (this.#skipped.length > 0) return new Error(`${this.#skipped.length} skipped`);
  }
}
