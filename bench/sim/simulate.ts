import { createRandom } from '@tollgate/testkit/seeded-random';
import { createCores } from './cores.ts';
import { costs as committed, efficiencyOf, idleCoresOf, stageCostsOf } from './costs.ts';
import type { Costs, Mode, Shape } from './costs.ts';
import { createEventPath, type EventPath, type PathOptions, type World } from './event-path.ts';
import { createSimulation } from './simulation.ts';
import { createThread } from './thread.ts';

export type Load =
  /** Each connection asks again when it is answered, from one client process on the same machine, as `wrk` does. */
  | { readonly kind: 'closed'; readonly connections: number }
  /** Clients elsewhere, whose requests come at random moments, whatever the answers do. */
  | { readonly kind: 'open'; readonly eventsPerSecond: number }
  /** No clients: the log holds more than the run can count. */
  | { readonly kind: 'backlog' };

export interface Setup {
  readonly shape: Shape;
  readonly mode: Mode;
  readonly load: Load;
  readonly cores: number;
  readonly partitions: number;
  readonly processes: PathOptions['processes'];
  readonly seconds: number;
  readonly seed: number;
  readonly costs: Costs;
}

export interface Simulated {
  readonly acceptedPerSecond: number;
  readonly countedPerSecond: number;
  /** All processes but the client's. */
  readonly cpuPerEvent: number;
  /** From the request to its answer. */
  readonly answerMillis: { readonly median: number; readonly p99: number };
}

export const eventsPerRequest = { single: 1, batch: 100 } as const;
const warmSeconds = 1;
const idleEveryMicros = 10_000;

/** Two cores, as they were measured, with one process of each kind. */
export function twoCores(shape: Shape, mode: Mode, costs: Costs = committed): Omit<Setup, 'load'> {
  const one = { gateways: 1, aggregators: 1, redis: 1 };
  const { cores } = costs.machine;
  const partitions = costs.counting.partitions[shape];
  const processes = shape === 'standalone' ? 'one process' : one;
  return { shape, mode, cores, partitions, processes, seconds: 5, seed: 1, costs };
}

export function simulate(setup: Setup): Simulated {
  const { world, path } = openMachine(setup);
  const answers = startLoad(world, path, setup);
  world.simulation.runUntil(warmSeconds * 1e6);
  const before = totalsOf(world, path);
  answers.splice(0);
  world.simulation.runUntil((warmSeconds + setup.seconds) * 1e6);
  const after = totalsOf(world, path);
  const counted = after.counted - before.counted;
  const clientMicros = setup.load.kind === 'closed' ? answers.length * clientMicrosOf(setup) : 0;
  const sorted = answers.toSorted((a, b) => a - b);
  const millisAt = (share: number): number => (sorted[Math.floor(sorted.length * share)] ?? 0) / 1_000;
  return {
    acceptedPerSecond: (after.accepted - before.accepted) / setup.seconds,
    countedPerSecond: counted / setup.seconds,
    cpuPerEvent: (after.spent - before.spent - clientMicros) / counted,
    answerMillis: { median: millisAt(0.5), p99: millisAt(0.99) },
  };
}

function totalsOf({ cores }: World, path: EventPath) {
  return { accepted: path.accepted(), counted: path.counted(), spent: cores.spent() };
}

/** Starts the clients. Returns how long each answer took, as they come. */
function startLoad(world: World, path: EventPath, setup: Setup): number[] {
  const { simulation, cores, random } = world;
  const { load, mode } = setup;
  const events = eventsPerRequest[mode];
  const answers: number[] = [];
  const client = createThread(cores);

  function ask(answered: () => void): void {
    const askedAt = simulation.now();
    path.post(events, () => {
      answers.push(simulation.now() - askedAt);
      answered();
    });
  }

  function askAgain(): void {
    client.run(clientMicrosOf(setup), () => ask(askAgain));
  }

  function arrive(meanGapMicros: number): void {
    simulation.after(-Math.log(1 - random.next()) * meanGapMicros, () => {
      ask(() => undefined);
      arrive(meanGapMicros);
    });
  }

  if (load.kind === 'closed') for (let each = 0; each < load.connections; each += 1) askAgain();
  if (load.kind === 'open') arrive((1e6 * events) / load.eventsPerSecond);
  if (load.kind === 'backlog') path.preload(backlogEvents);
  return answers;
}

function clientMicrosOf({ shape, mode, costs }: Setup): number {
  return costs.rows[`${shape} ${mode}`].clientMicros;
}

const backlogEvents = 1e9;

function openMachine({ shape, mode, seed, costs, partitions, processes, ...setup }: Setup) {
  const simulation = createSimulation();
  const cores = createCores(simulation, { cores: setup.cores, efficiency: efficiencyOf(costs) });
  const world: World = { simulation, cores, random: createRandom(seed) };
  keepIdleServicesBusy(world, idleCoresOf(shape, costs));
  const { counting, flushes, lanes, shares } = costs;
  const path = createEventPath(world, {
    stages: stageCostsOf(shape, mode, costs),
    answerShare: shares.answerOfNode,
    partitions,
    processes,
    lanes,
    reader: {
      paceMicros: counting.paceMicros[shape],
      eventsMax: shape === 'standalone' ? flushes.standaloneEventsMax : flushes.distributedEventsMax,
      flushNode: counting.flushNodeMicros,
      flushPostgres: counting.flushPostgresMicros,
    },
  });
  return { world, path };
}

/** What auth and billing do whether anybody calls or not. */
function keepIdleServicesBusy({ simulation, cores }: World, idleCores: number): void {
  if (idleCores === 0) return;
  const work = (): void => {
    cores.spend(idleCores * idleEveryMicros, () => undefined);
    simulation.after(idleEveryMicros, work);
  };
  work();
}
