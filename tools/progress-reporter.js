import { relative } from 'node:path';

const minuteMs = 60_000;

/**
 * Every five minutes: how many test files are done, and each that has run for three minutes or more. So a run that does
 * not end names the file that holds it.
 */
export default class ProgressReporter {
  #running = new Map(); // file → when it began, ms
  #done = 0;
  #files = 0;
  #timer;

  onRunStart({ numTotalTestSuites }) {
    this.#files = numTotalTestSuites;
    this.#timer = setInterval(() => this.#print(), 5 * minuteMs).unref();
  }

  onTestFileStart({ path }) {
    this.#running.set(path, Date.now());
  }

  onTestFileResult({ path }) {
    this.#running.delete(path);
    this.#done++;
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }

  #print() {
    console.log(`${this.#done} of ${this.#files} test files are done`);
    for (const [path, sinceMs] of this.#running) {
      const minutes = Math.floor((Date.now() - sinceMs) / minuteMs);
      if (minutes >= 3) console.log(`  ${relative(process.cwd(), path)} has run for ${minutes} minutes`);
    }
  }
}
