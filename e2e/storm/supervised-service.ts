import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@tollgate/testkit/eventually';
import type { PathRouter } from '@tollgate/testkit/path-router';
import { startServiceProcess, type ServiceName, type ServiceProcess } from '@tollgate/testkit/service-process';
import { createWrongClock } from '@tollgate/testkit/wrong-clock';

/** One process of a service. It is started again whenever it ends, as a supervisor does. */
export interface SupervisedService {
  readonly name: string;
  kill(): Promise<void>;
  /** SIGTERM: the process finishes its work, then the next one starts. */
  replace(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Sets its clock wrong by `byMs` from now on, also for the next process. */
  setClockOff(byMs: number): void;
  /** Resolves when a process runs. */
  up(): Promise<void>;
  /** How often it ended without a signal from here. */
  endedByItself(): number;
  destroy(): Promise<void>;
}

export interface SupervisedOptions {
  readonly name: string;
  readonly service: ServiceName;
  readonly settings: Readonly<Record<string, string>>;
  readonly router: PathRouter;
  readonly logFolder: string;
}

const startAgainMs = 300;
const upWithinMs = 120_000;

export function superviseService(options: SupervisedOptions): SupervisedService {
  const { name, service, settings, router, logFolder } = options;
  const clock = createWrongClock(join(logFolder, `${name}.clock`));
  let current: ServiceProcess | undefined;
  let lives = 0;
  let endings = 0;
  let signalled = 0;
  let isWanted = true;
  const supervising = supervise();

  async function supervise(): Promise<void> {
    while (isWanted) {
      lives += 1;
      const logFile = join(logFolder, `${name}-${lives}.log`);
      const life = await startServiceProcess(service, { ...settings, ...clock.env }, { logFile }).catch(
        () => undefined,
      );
      if (life === undefined) await sleep(startAgainMs);
      else await live(life);
    }
  }

  async function live(life: ServiceProcess): Promise<void> {
    current = life;
    if (service !== 'aggregator') router.add(service, life.url).catch(() => undefined); // it may die before it is ready
    await life.exited;
    endings += 1;
    current = undefined;
    router.remove(life.url);
    await life.destroy();
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const old = current;
    if (old === undefined) return up(); // it ended by itself and is about to start again
    signalled += 1;
    if (signal === 'SIGTERM') old.signal(signal);
    else old.signalGroup(signal);
    await old.exited;
    await eventually(() => current !== undefined && current !== old, { withinMs: upWithinMs });
  }

  async function up(): Promise<void> {
    await eventually(() => current !== undefined, { withinMs: upWithinMs });
  }

  return {
    name,
    kill: () => end('SIGKILL'),
    replace: () => end('SIGTERM'),
    freeze: () => current?.signalGroup('SIGSTOP'),
    thaw: () => current?.signalGroup('SIGCONT'),
    setClockOff(byMs) {
      clock.offBy(byMs);
      current?.signal(clock.signal);
    },
    up,
    endedByItself: () => endings - signalled,
    async destroy() {
      isWanted = false;
      signalled += 1;
      await current?.destroy();
      await supervising;
    },
  };
}
