import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Place } from './choose-place.ts';

/** Prints where a server of the tests runs, once per test run, so that the log of CI shows it. */
export function sayPlace(server: string, place: Place): void {
  const keeper = process.env['TOLLGATE_TEST_CLUSTER'];
  if (keeper === undefined) return; // no test run: a program, which shows its own servers
  try {
    writeFileSync(join(dirname(keeper), `place-of-${server}`), '', { flag: 'wx' });
  } catch {
    return; // another worker has printed it
  }
  const where = place.kind === 'docker' ? `in containers of Docker, on ${place.host}` : 'as a process of this machine';
  process.stderr.write(`tests run ${server} ${where}\n`);
}
