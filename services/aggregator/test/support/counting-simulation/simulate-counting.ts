import { dayMs } from '@tollgate/kernel/durations';
import { dateOf } from '@tollgate/kernel/period';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { createWeightedPick } from '@tollgate/testkit/weighted-pick';
import type { CountedRows } from './counted-rows.ts';
import { CountingWorld } from './counting-world.ts';
import type { SimulatedStore } from './simulated-store.ts';

export interface CountingSimulation {
  /** Empty: all right. */
  readonly violations: readonly string[];
  /** The rows that had been counted in the end. */
  readonly rows: CountedRows;
  /** The number of times that each step happened, by its name. */
  readonly counts: Readonly<Record<string, number>>;
  /** The last of it, in order. */
  readonly story: readonly string[];
}

interface SimulationOptions {
  readonly store: SimulatedStore;
  readonly steps: number;
}

type Step = (world: CountingWorld) => unknown;

/** The steps, each with its weight beside the others. */
const steps: Readonly<Record<string, { readonly weight: number; readonly step: Step }>> = {
  'somebody has a turn': { weight: 80, step: ({ turns }) => turns.takeOne() },
  'clients report': { weight: 11, step: (world) => world.report() },
  'watermarks are written': { weight: 3, step: (world) => world.writeWatermarks() },
  'the group rebalances': { weight: 2, step: (world) => world.rebalance() },
  'an aggregator dies': { weight: 1, step: (world) => world.killAggregator() },
  'a gateway dies': { weight: 0.5, step: (world) => world.killGateway() },
  'somebody freezes or thaws': { weight: 1.5, step: (world) => world.freezeOrThaw() },
  'a partition is added': { weight: 0.2, step: (world) => world.addPartition() },
  'days pass': { weight: 0.4, step: (world) => world.passDays() },
  'days are dropped': { weight: 1.5, step: dropDays },
};

const pickStep = createWeightedPick(steps);
const storyMax = 60;
const drainTurnsMax = 20_000;

/** One world for so many steps, then healed and drained. It stops at the first violation. */
export async function simulateCounting(
  random: SeededRandom,
  { store, steps: wanted }: SimulationOptions,
): Promise<CountingSimulation> {
  const world = new CountingWorld(random, store);
  const { truth, counts, story } = world;
  for (let taken = 0; taken < wanted && truth.violations.length === 0; taken += 1) await takeStep(world);
  if (truth.violations.length === 0) await drain(world);
  const rows = await store.rows();
  if (truth.violations.length === 0) truth.compare(rows);
  return { violations: truth.violations, rows, counts, story: story.slice(-storyMax) };
}

async function takeStep(world: CountingWorld): Promise<void> {
  world.passTime();
  const [name, { step }] = pickStep(world.random);
  world.note(name);
  await step(world);
}

/** Drops the days whose events cannot come any more. */
async function dropDays(world: CountingWorld): Promise<void> {
  const days = await world.store.dropEventDaysBefore(dateOf(world.nowMs - dayMs));
  if (world.truth.dropEventDays(days) > 0) world.note('events dropped with their day');
}

/** Everything is counted; then the watermark moves on without traffic. */
async function drain(world: CountingWorld): Promise<void> {
  const { truth } = world;
  world.heal();
  await takeTurnsUntil('all is counted', world, () => truth.isDrained());
  const drainedMs = world.nowMs;
  world.nowMs += 60_000;
  await takeTurnsUntil('the watermark has moved', world, () => truth.isCountedThrough(drainedMs));
}

async function takeTurnsUntil(what: string, world: CountingWorld, isDone: () => boolean): Promise<void> {
  const { truth, turns } = world;
  for (let taken = 0; !isDone() && truth.violations.length === 0; taken += 1) {
    if (taken === drainTurnsMax) return truth.violate(`not until ${taken} turns later: ${what}`);
    if (taken % 20 === 0) world.writeWatermarks();
    world.passTime();
    await turns.takeOne();
  }
}
