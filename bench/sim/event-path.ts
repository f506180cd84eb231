import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { createBatcher, eventsOf, type Batcher } from './batcher.ts';
import type { Cores } from './cores.ts';
import type { StageCosts } from './costs.ts';
import { startReader, type Partition, type ReaderOptions } from './reader.ts';
import type { Simulation } from './simulation.ts';
import { createThread, type Thread } from './thread.ts';

export interface PathOptions {
  readonly stages: StageCosts;
  readonly answerShare: number;
  readonly partitions: number;
  /** `one process`: gateway and aggregator share one thread. */
  readonly processes:
    | 'one process'
    | { readonly gateways: number; readonly aggregators: number; readonly redis: number };
  /** The pace of look-ups and appends: how often a batch starts, when the last one had so many events. */
  readonly lanes: { readonly startsEveryMicros: number; readonly pacedFromEvents: number };
  readonly reader: Pick<ReaderOptions, 'paceMicros' | 'eventsMax' | 'flushNode' | 'flushPostgres'>;
}

export interface EventPath {
  /** One request. `answered` when its events are durable and the answer is written. */
  post(events: number, answered: () => void): void;
  /** Events that are in the log already. */
  preload(events: number): void;
  accepted(): number;
  counted(): number;
  /** Events in the log that are not counted. */
  waiting(): number;
}

export interface World {
  readonly simulation: Simulation;
  readonly cores: Cores;
  readonly random: SeededRandom;
}

const appendEventsMax = 5_000;
const redisEventsMax = 500;
const unpaced = { startsEveryMicros: 0, pacedFromEvents: 0 };

/** The way of an event: gateway, Redis, look-up, log, aggregator, PostgreSQL. */
export function createEventPath(world: World, options: PathOptions): EventPath {
  const { stages, answerShare, partitions, processes } = options;
  const counts = processes === 'one process' ? { gateways: 1, aggregators: 0, redis: 1 } : processes;
  const gatewayThreads = threads(world, counts.gateways);
  const aggregators = processes === 'one process' ? gatewayThreads : threads(world, counts.aggregators);
  const redis = threads(world, counts.redis);
  const totals = { accepted: 0, counted: 0 };
  const readers = openReaders(world, options, {
    aggregators,
    totals,
    groups: processes === 'one process' ? partitions : counts.aggregators,
  });
  const gateways = gatewayThreads.map((thread, at) => ({
    thread,
    stations: openStations(world, options, { gateway: thread, redis: inTurn(redis, at) }),
  }));
  let posts = 0;

  function post(events: number, answered: () => void): void {
    const gateway = inTurn(gateways, (posts += 1));
    const cpu = spread(world.random, events * stages.gateway);
    gateway.thread.run(cpu * (1 - answerShare), () => {
      passThrough(gateway.stations, events, () => {
        inTurn(readers, world.random.integer(0, partitions - 1)).add(events);
        totals.accepted += events;
        answered();
      });
    });
  }

  return {
    post,
    preload: (events) => readers.forEach((reader) => reader.add(events / partitions)),
    accepted: () => totals.accepted,
    counted: () => totals.counted,
    waiting: () => readers.reduce((sum, reader) => sum + reader.waiting(), 0),
  };
}

interface Counting {
  readonly aggregators: readonly Thread[];
  readonly totals: { counted: number };
  /** How many readers share the partitions. */
  readonly groups: number;
}

/** The partitions, in their order. */
function openReaders(
  { simulation, cores }: World,
  { stages, reader, partitions }: PathOptions,
  { aggregators, totals, groups }: Counting,
): readonly Partition[] {
  const { fetch, countNode, countPostgres } = stages;
  return times(groups, (at) =>
    startReader(simulation, cores, {
      ...reader,
      partitions: Math.floor(partitions / groups) + (at < partitions % groups ? 1 : 0),
      aggregator: inTurn(aggregators, at),
      stages: { fetch, countNode, countPostgres },
      onCounted: (events) => void (totals.counted += events),
    }),
  ).flat();
}

/** Batchers in the order in which an event passes them. A server that costs nothing is not there. */
function openStations(
  { simulation, cores }: World,
  { stages, answerShare, lanes }: PathOptions,
  { gateway, redis }: { gateway: Thread; redis: Thread },
): readonly Batcher[] {
  const ofPostgres = { after: 0, eventsMax: appendEventsMax, pace: lanes, server: { run: cores.spend } };
  const stations = [
    { cost: stages.redis, after: 0, eventsMax: redisEventsMax, pace: unpaced, server: redis },
    { ...ofPostgres, cost: stages.lookUp },
    { ...ofPostgres, cost: stages.append, after: stages.gateway * answerShare },
  ];
  return stations
    .filter(({ cost }) => cost > 0)
    .map(({ cost, after, eventsMax, pace, server }) =>
      createBatcher(simulation, {
        eventsMax,
        pace,
        soon: gateway.soon,
        run(items, ended) {
          const events = eventsOf(items);
          // The server's answer waits until the gateway's thread has time for it. All callers go on in one piece of work.
          server.run(events * cost, () => gateway.run(events * after, ended));
        },
      }),
    );
}

function passThrough(stations: readonly Batcher[], events: number, done: () => void): void {
  const [first, ...rest] = stations;
  if (!first) return done();
  first.add({ events, done: () => passThrough(rest, events, done) });
}

/** No two requests cost the same: from half to one and a half of the mean. */
function spread(random: SeededRandom, mean: number): number {
  return mean * (0.5 + random.next());
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const threads = ({ cores }: World, count: number): Thread[] => times(count, () => createThread(cores));

function inTurn<T>(items: readonly T[], at: number): T {
  const item = items[at % items.length];
  if (item === undefined) throw new Error('the list is empty');
  return item;
}
