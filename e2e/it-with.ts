import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from '@jest/globals';

/** Adds a step that runs after the tests of a suite, the latest step first. `hasPassed`: every test has passed. */
export type Undo = (step: (hasPassed: boolean) => unknown) => void;

type It<Opened> = (title: string, body: (opened: Opened) => Promise<void>, timeoutMs?: number) => void;

/** Opens what the tests of a suite share, closes it after them, and returns an `it` that hands it to each test. */
export function itWith<Opened>(open: (undo: Undo) => Promise<Opened>, openWithinMs = 180_000): It<Opened> {
  const steps: ((hasPassed: boolean) => unknown)[] = [];
  let opening: Promise<Opened> = Promise.reject(new Error('the suite was not opened'));
  opening.catch(() => undefined);
  let unfinished = 1; // the opening
  beforeAll(async () => {
    opening = open((step) => steps.push(step));
    await opening;
    unfinished -= 1;
  }, openWithinMs);
  afterAll(async () => {
    for (const step of steps.toReversed()) await step(unfinished === 0);
  });

  return function itOpened(title, body, timeoutMs) {
    const runBody = async () => {
      unfinished += 1;
      await body(await opening);
      unfinished -= 1;
    };
    it(title, runBody, timeoutMs); // oxlint-disable-line jest/valid-title, jest/expect-expect -- the caller has both
  };
}

/** A temporary folder for a suite. It stays when a test fails, with everything that `output` returns. */
export function openFolder(name: string, undo: Undo, output = () => ''): string {
  const folder = mkdtempSync(join(tmpdir(), `tollgate-${name}-`));
  chmodSync(folder, 0o711); // root's PostgreSQL runs as another user, who must be able to enter
  undo((hasPassed) => {
    if (hasPassed) return rmSync(folder, { recursive: true, force: true });
    writeFileSync(join(folder, 'output.txt'), output());
    process.stderr.write(`${name} failed; its files are kept: ${folder}\n`);
  });
  return folder;
}
