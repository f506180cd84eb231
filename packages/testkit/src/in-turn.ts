import { afterAll, beforeAll } from '@jest/globals';
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
