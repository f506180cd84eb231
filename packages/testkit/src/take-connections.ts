import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from './eventually.ts';

export interface TakenConnections {
  /** Ends all taken connections. */
  giveBack(): Promise<void>;
}

const tooManyConnections = '53300'; // also when the rest is reserved for superusers
const lookAgainMs = 5;

/** Takes every free connection of a PostgreSQL and leaves it idle, and each one that becomes free later. */
export async function takeConnections(url: string): Promise<TakenConnections> {
  const taken: pg.Client[] = [];
  let isTaking = true;
  let isFull = false;

  async function takeAll(): Promise<void> {
    while (isTaking) {
      isFull = !(await takeOne());
      if (isFull) await sleep(lookAgainMs);
    }
  }

  async function takeOne(): Promise<boolean> {
    const client = new pg.Client({ connectionString: url, application_name: 'takes connections' });
    client.on('error', () => undefined); // its server may end
    try {
      await client.connect();
      taken.push(client);
      return true;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === tooManyConnections) return false;
      throw error;
    }
  }

  const taking = takeAll();
  taking.catch(() => undefined); // giveBack() rejects with it
  await eventually(() => isFull, { withinMs: 30_000 });
  return {
    async giveBack() {
      isTaking = false;
      await taking;
      await Promise.all(taken.map((client) => client.end()));
    },
  };
}
