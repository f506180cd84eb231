import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from './eventually.ts';

export interface TakenConnections {
  /** Ends all of them. */
  giveBack(): Promise<void>;
}

const tooManyConnections = '53300'; // also where the rest is kept for superusers
const lookAgainMs = 5;

/** Every connection that a PostgreSQL has left, idle; and whatever somebody else gives up from then on. */
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
    client.on('error', () => undefined); // one that is ended with its server
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
  taking.catch(() => undefined); // whoever gives back is told
  await eventually(() => isFull, { withinMs: 30_000 });
  return {
    async giveBack() {
      isTaking = false;
      await taking;
      await Promise.all(taken.map((client) => client.end()));
    },
  };
}
