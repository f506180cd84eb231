import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import type { JestReport } from './judge-tests.ts';

export interface FileTime {
  /** From the root of the repository. */
  readonly file: string;
  readonly seconds: number;
}

/** Where the times stay between runs. */
const timesPath = 'node_modules/.cache/tollgate/test-times.json';

/** How long each file of the run took, the slowest first. Stores those of the repository; files that did not run keep their last time. */
export function keepTimes(repository: string, report: JestReport | undefined): FileTime[] {
  const times = (report?.testResults ?? [])
    .map(({ name, startTime, endTime }) => ({
      file: relative(repository, name),
      seconds: (endTime - startTime) / 1_000,
    }))
    .toSorted((left, right) => right.seconds - left.seconds);
  const path = join(repository, timesPath);
  const own = times.filter(({ file }) => !file.startsWith('..'));
  const kept = { ...readTimes(path), ...Object.fromEntries(own.map(({ file, seconds }) => [file, seconds])) };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(kept, undefined, 2)}\n`);
  return times;
}

/** Reads the times by the file's path from the root of the repository; empty before the first run. */
function readTimes(path: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>; // as written above
  } catch {
    return {}; // no run yet, or one that was killed while it wrote
  }
}
