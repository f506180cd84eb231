import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startKeeper } from '@tollgate/testkit/keeper';
import { makeBenchFolder } from '../products/data-folder.ts';
import type { MeasuredProcess, RowContext } from '../row.ts';
import type { EventPlan } from './make-events.ts';

export interface StorePlan extends Omit<EventPlan, 'nowMs'> {
  readonly flushEvents: number;
  /** Stored at once, at most four: as many as a log has by default, and the aggregator stores flushes of all of them at once. */
  readonly partitions: number;
}

export type StoreRequest =
  | { readonly kind: 'make'; readonly plan: StorePlan }
  | { readonly kind: 'store'; readonly plan: StorePlan }
  | { readonly kind: 'ensure-days'; readonly dates: readonly string[] }
  | { readonly kind: 'stop' };

export type StoreAnswer =
  | { readonly kind: 'ready'; readonly postgresPid: number; readonly ownerUrl: string; readonly statementsUrl: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'stored'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** The usage store of a built checkout, in a process of its own, on a PostgreSQL of its own. */
export interface Store {
  readonly ownerUrl: string;
  readonly statementsUrl: string;
  readonly processes: readonly MeasuredProcess[];
  /** Makes the events of the next `store` in memory. */
  make(plan: StorePlan): Promise<void>;
  /** Stores, deduplicates and rolls up the events that `make` has made, and answers how many seconds that took. */
  store(plan: StorePlan): Promise<number>;
  ensureDays(dates: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const main = new URL('store-process.ts', import.meta.url).pathname;

export async function openStore({ root }: RowContext): Promise<Store> {
  const folder = await makeBenchFolder();
  const child = fork(main, [root, folder.path], {
    execArgv: ['--enable-source-maps'],
    serialization: 'advanced',
    silent: true,
    detached: true,
  });
  const channel = channelOf(child);
  const keeper = startKeeper({ processGroup: child.pid, dataDir: folder.path });
  const release = async (): Promise<void> => {
    await keeper.end();
    await folder.remove();
  };
  try {
    const ready = await channel.next();
    if (ready.kind !== 'ready') throw new Error(`the store process said ${JSON.stringify(ready)}`);
    return {
      ...storeOf(channel, release),
      ownerUrl: ready.ownerUrl,
      statementsUrl: ready.statementsUrl,
      processes: [
        { name: 'store', pid: child.pid ?? 0 },
        { name: 'postgres', pid: ready.postgresPid, isTree: true },
      ],
    };
  } catch (error) {
    await release();
    throw error;
  }
}

interface Channel {
  ask(request: StoreRequest): Promise<StoreAnswer>;
  next(): Promise<StoreAnswer>;
}

function storeOf({ ask }: Channel, release: () => Promise<void>) {
  return {
    make: async (plan: StorePlan) => void (await ask({ kind: 'make', plan })),
    ensureDays: async (dates: readonly string[]) => void (await ask({ kind: 'ensure-days', dates })),
    async store(plan: StorePlan) {
      const answer = await ask({ kind: 'store', plan });
      if (answer.kind !== 'stored') throw new Error(`the store process said ${JSON.stringify(answer)}`);
      return answer.seconds;
    },
    async close() {
      await ask({ kind: 'stop' });
      await release();
    },
  };
}

function channelOf(child: ChildProcess): Channel {
  const output = collect(child);
  const ended = once(child, 'exit').then((): [StoreAnswer] => [{ kind: 'failed', reason: 'it ended' }]);

  async function next(): Promise<StoreAnswer> {
    const [answer] = await Promise.race([once(child, 'message') as Promise<[StoreAnswer]>, ended]);
    if (answer.kind === 'failed')
      throw new Error(`the store process failed: ${answer.reason}\n${output().slice(-3_000)}`);
    return answer;
  }

  async function ask(request: StoreRequest): Promise<StoreAnswer> {
    child.send(request);
    return next();
  }

  return { ask, next };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}
