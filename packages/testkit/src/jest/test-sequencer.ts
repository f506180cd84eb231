import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

interface TestFile {
  readonly path: string;
}

/** How many other files follow a suite that takes turns: more than run beside it, on three workers. */
const othersPerTurn = 12;
const takesTurns = /\b(?:inTurn|describeInTurn)\(/;

// Its types describe the CommonJS module. Node and jest import index.mjs, whose default is the class itself.
const JestSequencer = Sequencer as unknown as typeof Sequencer.default;

export default class TestSequencer extends JestSequencer {
  override sort<File extends TestFile>(tests: readonly File[]): File[] {
    return orderTests(tests);
  }
}

/**
 * The order of the test files. Of the suites that take turns (../in-turn.ts) one runs at a time, and a worker that takes a
 * second one does nothing until the first has ended. So these begin early, with other files between them. The tests of
 * single functions come last, so that no worker ends long before the other.
 */
export function orderTests<File extends TestFile>(tests: readonly File[]): File[] {
  const files = tests
    .map((test) => ({ test, rank: rank(test.path), text: readFileSync(test.path, 'utf8') }))
    .toSorted((left, right) => left.rank - right.rank || right.text.length - left.text.length);
  const { turns = [], others = [] } = Object.groupBy(files, ({ text }) => (takesTurns.test(text) ? 'turns' : 'others'));
  return turns
    .flatMap((turn, at) => [turn, ...others.slice(at * othersPerTurn, (at + 1) * othersPerTurn)])
    .concat(others.slice(turns.length * othersPerTurn))
    .map(({ test }) => test);
}

function rank(path: string): number {
  return path.endsWith('.int.test.ts') ? 0 : 1;
}
