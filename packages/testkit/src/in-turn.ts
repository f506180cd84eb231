import { afterAll, beforeAll, describe } from '@jest/globals';
import { takeTurn, type Turn } from './postgres.ts';

/** Longer than all the other suites take together. */
const turnWithinMs = 3_600_000;

/** For a suite that needs the whole machine: of these suites one runs at a time, over all workers of the run. */
export function inTurn(suite: () => void): () => void {
  return function suiteInTurn() {
    let turn: Turn | undefined;
    beforeAll(async () => void (turn = await takeTurn()), turnWithinMs);
    suite();
    afterAll(() => turn?.end());
  };
}

type Describe = (name: string, suite: () => void) => void;

/** A describe whose suite waits for its turn; `describeSuite` may skip it for a reason of its own. */
export const describeInTurn =
  (describeSuite: Describe = describe): Describe =>
  (name, suite) =>
    describeSuite(name, inTurn(suite));
