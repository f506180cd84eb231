import { readFileSync } from 'node:fs';

interface TestFile {
  readonly path: string;
}

/** How many other files follow a suite that takes turns: more than run beside it, on two workers. */
const othersPerTurn = 12;
const takesTurns = /\b(?:inTurn|describeOfMinutes)\(/;

/**
 * The order of the test files. Of the suites that take turns (../in-turn.ts) one runs at a time; a
 * worker that takes a second one does nothing until the first has ended. So these begin early, with other files between
 * them. The tests of
 * single functions come last, so that no worker ends long before the other.
 */
export default class TestSequencer {
  sort<File extends TestFile>(tests: readonly File[]): File[] {
    const bySize = tests.toSorted((left, right) => rank(left.path) - rank(right.path) || sizeOf(right) - sizeOf(left));
    const turns = bySize.filter(({ path }) => takesTurns.test(readFileSync(path, 'utf8')));
    const others = bySize.filter((test) => !turns.includes(test));
    return turns
      .flatMap((test, at) => [test, ...others.slice(at * othersPerTurn, (at + 1) * othersPerTurn)])
      .concat(others.slice(turns.length * othersPerTurn));
  }

  allFailedTests(): never {
    throw new Error('jest --onlyFailures is not supported here: name the files instead');
  }

  /** All of them: this order needs no times of earlier runs. */
  cacheResults(): void {}
}

function sizeOf({ path }: TestFile): number {
  return readFileSync(path).length;
}

function rank(path: string): number {
  return path.endsWith('.int.test.ts') ? 0 : 1;
}
