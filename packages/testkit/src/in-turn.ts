import { afterAll, beforeAll } from '@jest/globals';
import { takeTurn, type Turn } from './postgres.ts';

/** As long as all the others take together, and longer. */
const turnWithinMs = 3_600_000;

/** A suite that needs the machine: of those that say so, in all workers of the run, one goes on at a time. */
export function inTurn(suite: () => void): () => void {
  return function suiteInTurn() {
    let turn: Turn | undefined;
    beforeAll(async () => void (turn = await takeTurn()), turnWithinMs);
    suite();
    afterAll(() => turn?.end());
  };
}
