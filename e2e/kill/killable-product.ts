import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '@tollgate/kernel/clock';
import { startStandalone, type StandaloneProcess } from '@tollgate/testkit/standalone-process';

import { signalPostgres } from '../postgres-processes.ts';
import type { Kill } from './plan-kills.ts';

export interface KillableProduct {
  /** Waits while the product is dead. */
  baseUrl(): Promise<string>;
  /** Starts the product, waits until it serves, and returns how many ms that took. */
  start(): Promise<number>;
  /** Starts the product without waiting. */
  beginStart(): void;
  kill(mode: Kill['mode']): Promise<void>;
  /** Everything that its processes have printed, life by life. */
  output(): string;
  destroy(): Promise<void>;
}

/** The product as `pnpm start` runs it, on one data folder, killed and started any number of times. */
export function createKillableProduct(dataDir: string): KillableProduct {
  const lives: StandaloneProcess[] = [];
  let serving = Promise.withResolvers<string>();
  let isServing = false;

  function beginStart(): StandaloneProcess {
    const life = startStandalone({ dataDir });
    lives.push(life);
    return life;
  }

  async function start(): Promise<number> {
    const startedMs = systemClock.monotonicMs();
    const { baseUrl } = await beginStart().ready();
    isServing = true;
    serving.resolve(baseUrl);
    return Math.round(systemClock.monotonicMs() - startedMs);
  }

  /** Takes back the address in the same turn as the signal: by then it may belong to another process. */
  function killGroup(): void {
    lives.at(-1)?.signalGroup('SIGKILL');
    if (isServing) serving = Promise.withResolvers(); // otherwise the callers already wait
    isServing = false;
  }

  async function kill(mode: Kill['mode']): Promise<void> {
    switch (mode) {
      case 'node alone':
        killGroup();
        break;
      case 'node, then postgres':
        killGroup();
        signalPostgres(dataDir, 'SIGKILL');
        break;
      case 'postgres, then node':
        signalPostgres(dataDir, 'SIGKILL');
        killGroup();
        break;
      case 'postgres, node a little later':
        signalPostgres(dataDir, 'SIGKILL');
        await sleep(200);
        killGroup();
        break;
    }
    await lives.at(-1)?.exited;
  }

  return {
    baseUrl: () => serving.promise,
    start,
    beginStart: () => void beginStart(),
    kill,
    output: () => lives.map((life, index) => `--- life ${index + 1} (${life.pid})\n${life.output()}`).join('\n'),
    async destroy() {
      await Promise.all(lives.map((life) => life.destroy()));
    },
  };
}
