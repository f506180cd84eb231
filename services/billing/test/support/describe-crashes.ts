import { describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { someInLanding } from '@tollgate/testkit/lane';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { dyingDatabase, observedDatabase, unheardDatabase } from './dying-database.ts';

export interface Crashing {
  /** The database to which the job writes. */
  worker(): Database;
  /** All is due, and nothing of it is done. */
  startAnew(): Promise<void>;
  /** One run of the job. */
  run(database?: Database): Promise<void>;
  /** Another process, later: what the first left unknown is looked up. */
  goOn(): Promise<void>;
  /** Everything that the job writes, in one comparable value without what differs from run to run. */
  books(): Promise<unknown>;
  /** How many statements and commits the job has at least, else these tests prove little. */
  readonly statementsMin: number;
  readonly commitsMin: number;
}

/** The statements, counted from 1, at which a job of so many is killed. */
export function statementsToDieAt(what: string, count: number): readonly number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  return someInLanding(all, seededRandom(what));
}

/** Whatever happens to a process of this job, the books are those of one that was not disturbed. */
export function describeCrashes(what: string, job: Crashing): void {
  describe(`F45 ${what} that dies`, () => {
    async function undisturbed() {
      let statements = 0;
      await job.startAnew();
      await job.run(observedDatabase(job.worker(), () => void (statements += 1)));
      return { books: await job.books(), statements };
    }

    it('comes to the same, whichever statement it dies at', async () => {
      const { books, statements } = await undisturbed();
      expect(statements).toBeGreaterThan(job.statementsMin);
      for (const at of statementsToDieAt(what, statements)) {
        await job.startAnew();
        await expect(job.run(dyingDatabase(job.worker(), at))).rejects.toThrow('dead');
        await job.goOn();
        expect(await job.books()).toEqual(books);
      }
    }, 300_000);

    it('comes to the same when the answer to a commit is lost, whichever', async () => {
      const { books } = await undisturbed();
      let commits = 0;
      for (let isLost = true; isLost; commits += 1) {
        await job.startAnew();
        const unheard = unheardDatabase(job.worker(), commits + 1);
        await job.run(unheard.database).catch(() => undefined);
        isLost = unheard.isLost();
        await job.goOn();
        expect(await job.books()).toEqual(books);
      }
      expect(commits).toBeGreaterThan(job.commitsMin);
    }, 120_000);
  });
}
