import { systemClock } from '@tollgate/kernel/clock';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { simulateMoney } from './simulate-money.ts';

export interface MoneySoak {
  readonly random: SeededRandom;
  readonly minutes: number;
  /** A line for a person, now and then. */
  readonly say: (line: string) => void;
}

const stepsAWorld = 1_000;
const compareEvery = 50;

/**
 * World after world until the time is up; the last one is played to its end. Answers whether no micro-dollar has drifted. A
 * world that fails is named by its own seed, with which it plays again alone.
 */
export async function soakMoney({ random, minutes, say }: MoneySoak): Promise<boolean> {
  const untilMs = systemClock.monotonicMs() + minutes * 60_000;
  const sums: Record<string, number> = {};
  let [worlds, steps, died, driftMicros] = [0, 0, 0, 0n];
  while (systemClock.monotonicMs() < untilMs) {
    const world = random.fork();
    const played = await simulateMoney(world, { steps: stepsAWorld, compareEvery });
    worlds += 1;
    steps += played.steps;
    died += played.died;
    driftMicros += played.driftMicros;
    for (const [name, count] of Object.entries({ ...played.counts, ...played.moved }))
      sums[name] = (sums[name] ?? 0) + count;
    if (played.differences.length > 0) {
      say(
        `world ${worlds} (seed ${world.seed}) differs after ${played.steps} steps:\n${played.differences.join('\n')}`,
      );
      return false;
    }
    const minutesLeft = Math.max(0, Math.round((untilMs - systemClock.monotonicMs()) / 60_000));
    say(
      `${worlds} worlds, ${steps} steps, the process died ${died} times, drift ${driftMicros}; ${minutesLeft} min left`,
    );
  }
  say(
    `done: seed ${random.seed}, ${worlds} worlds, ${steps} steps, ${died} deaths, drift ${driftMicros} micro-dollars`,
  );
  say(
    Object.entries(sums)
      .map(([name, count]) => `  ${name}: ${count}`)
      .join('\n'),
  );
  return true;
}
