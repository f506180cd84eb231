import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { createBatcher, type Batcher } from './batcher.ts';
import type { Cores } from './cores.ts';
import type { StageCosts } from './costs.ts';
import { startReader, type Reader, type ReaderOptions } from './reader.ts';
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
  readonly reader: Pick<ReaderOptions, 'paceMicros' | 'eventsMax' | 'flushWaitMicros' | 'flushNode' | 'flushPostgres'>;
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

/** The way of an event: gateway, Redis, look-up, log, aggregator, PostgreSQL. */
export function createEventPath(world: World, options: PathOptions): EventPath {
  const { stages, answerShare, partitions, processes } = options;
  const counts = processes === 'one process' ? { gateways: 1, aggregators: 0, redis: 1 } : processes;
  const gatewayThreads = threads(world, counts.gateways);
  const aggregators = processes === 'one process' ? gatewayThreads : threads(world, counts.aggregators);
  const redis = threads(world, counts.redis);
  const totals = { accepted: 0, counted: 0 };
  const readers = times(partitions, (at) =>
    openReader(world, options, { aggregator: inTurn(aggregators, at), totals }),
  );
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

function openReader(
  { simulation, cores }: World,
  { stages, reader }: PathOptions,
  { aggregator, totals }: { aggregator: Thread; totals: { counted: number } },
): Reader {
  const { fetch, countNode, countPostgres } = stages;
  return startReader(simulation, cores, {
    ...reader,
    aggregator,
    stages: { fetch, countNode, countPostgres },
    onCounted: (events) => void (totals.counted += events),
  });
}

/** Batchers in the order in which an event passes them. A server that costs nothing is not there. */
function openStations(
  { cores }: World,
  { stages, answerShare }: PathOptions,
  { gateway, redis }: { gateway: Thread; redis: Thread },
): readonly Batcher[] {
  const stations = [
    { cost: stages.redis, after: 0, eventsMax: redisEventsMax, server: redis },
    { cost: stages.lookUp, after: 0, eventsMax: appendEventsMax, server: { run: cores.spend } },
    {
      cost: stages.append,
      after: stages.gateway * answerShare,
      eventsMax: appendEventsMax,
      server: { run: cores.spend },
    },
  ];
  return stations
    .filter(({ cost }) => cost > 0)
    .map(({ cost, after, eventsMax, server }) =>
      createBatcher({
        eventsMax,
        soon: (go) => gateway.run(0, go),
        run(items, ended) {
          const events = items.reduce((sum, item) => sum + item.events, 0);
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
