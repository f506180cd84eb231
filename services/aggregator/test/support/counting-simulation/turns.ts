import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';

/** A gateway, an aggregator or a server, as far as the others can tell. */
export interface SimulatedProcess {
  readonly clock: Clock;
  /** None of its turns comes until it is thawed: it neither does anything nor hears of anything. */
  isFrozen: boolean;
}

/**
 * The fate of a call to a server. `answered`, with an error perhaps; `lost`: it takes no effect; `unanswered`: it does,
 * and its caller is told that it failed; `late`: its caller is told so before it takes effect.
 */
export type Fate = 'answered' | 'lost' | 'unanswered' | 'late';

interface Turn {
  readonly process: SimulatedProcess;
  readonly take: () => unknown;
  /** The work that a server may still do though its caller has died. */
  readonly sent: (() => Promise<unknown>) | undefined;
}

const noAnswer = new AppError('unavailable', 'the simulated server gave no answer');

/**
 * The one schedule of all simulated processes. Whoever waits for a server waits for its turn; one is drawn after the other,
 * and what a process does between two awaits it does whole. So every interleaving, and a death at every await, can come up,
 * and comes again with the seed.
 */
export class Turns {
  private readonly random: SeededRandom;
  private readonly server: SimulatedProcess;
  private waiting: Turn[] = [];

  constructor(random: SeededRandom, clock: Clock) {
    this.random = random;
    this.server = { clock, isFrozen: false };
  }

  /** A call that is answered at the turn at which it takes effect. */
  ask<T>(process: SimulatedProcess, effect: () => T): Promise<T> {
    return new Promise<T>((resolve) => {
      this.wait(process, () => resolve(effect()));
    });
  }

  /** A call that takes effect, and is answered, at turns of their own; or what its fate is. */
  call<T>(process: SimulatedProcess, effect: () => Promise<T>, fate: Fate): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const fail = (): void => reject(noAnswer);
      const run = (): Promise<() => void> =>
        effect().then(
          (result) => () => resolve(result),
          (error: Error) => () => reject(error),
        );
      const takes = {
        answered: async () => this.wait(process, await run()),
        unanswered: async () => run().then(() => this.wait(process, fail)),
        late: () => {
          this.leaveToServer(effect);
          fail();
        },
        lost: fail,
      };
      this.wait(process, takes[fate], fate === 'lost' ? undefined : effect);
    });
  }

  /** The turn of one that is not frozen. False: nobody is left. */
  async takeOne(): Promise<boolean> {
    const turn = this.draw();
    if (!turn) return false;
    await turn.take();
    await allElseHasRun();
    return true;
  }

  /** It dies wherever it waits. What it has sent may take effect all the same. */
  kill(process: SimulatedProcess): void {
    const cutOff = this.waiting.filter((turn) => turn.process === process);
    this.waiting = this.waiting.filter((turn) => turn.process !== process);
    for (const { sent } of cutOff) if (sent && this.random.chance(0.5)) this.leaveToServer(sent);
  }

  private draw(): Turn | undefined {
    const { waiting } = this;
    const from = this.random.integer(0, waiting.length - 1);
    for (let tried = 0; tried < waiting.length; tried += 1) {
      const at = (from + tried) % waiting.length;
      if (waiting[at]?.process.isFrozen) continue;
      const [turn] = waiting.splice(at, 1);
      return turn;
    }
    return undefined;
  }

  private wait(process: SimulatedProcess, take: Turn['take'], sent?: Turn['sent']): void {
    this.waiting.push({ process, take, sent });
  }

  private leaveToServer(effect: () => Promise<unknown>): void {
    this.wait(this.server, () => effect().catch(() => undefined));
  }
}

/** Up to where each process waits for a turn: Node comes to the next tick when no promise has anything left to do. */
function allElseHasRun(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}
