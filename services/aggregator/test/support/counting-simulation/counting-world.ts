import { dayMs } from '@tollgate/kernel/durations';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { rules, startMs } from '../counting-fixture.ts';
import { CountingTruth } from './counting-truth.ts';
import { Reports } from './report.ts';
import { SimulatedAggregator } from './simulated-aggregator.ts';
import { SimulatedGateway, type GatewayWorld } from './simulated-gateway.ts';
import { SimulatedLog } from './simulated-log.ts';
import type { SimulatedStore } from './simulated-store.ts';
import { Turns, type SimulatedProcess } from './turns.ts';
import { createUnreliableStore, type StoreWorld } from './unreliable-store.ts';

const gatewayCount = 2;
const aggregatorCount = 3;
const partitionsMax = 5;

/** Gateways, a log, aggregators, a store, and a clock for all of them that only the simulation moves. */
export class CountingWorld implements GatewayWorld, StoreWorld {
  readonly random: SeededRandom;
  readonly turns: Turns;
  readonly log: SimulatedLog;
  readonly store: SimulatedStore;
  readonly truth: CountingTruth;
  readonly reports: Reports;
  readonly counts: Record<string, number> = {};
  /** The steps so far, in order. */
  readonly story: string[] = [];
  isHealed = false;
  nowMs = startMs;
  private readonly gateways: SimulatedGateway[];
  private readonly aggregators: SimulatedAggregator[];
  private readonly stepMsMax: number;
  /** The aggregator to which the group has given each partition. */
  private assigned: number[] = [];

  constructor(random: SeededRandom, store: SimulatedStore) {
    this.random = random;
    this.store = store;
    this.turns = new Turns(random, { now: () => this.nowMs, monotonicMs: () => this.nowMs });
    this.log = new SimulatedLog(random, random.integer(1, 3));
    this.truth = new CountingTruth(this.log);
    this.reports = new Reports(random);
    this.stepMsMax = random.pick([60, 150, 400]);
    this.gateways = Array.from({ length: gatewayCount }, () => this.newGateway());
    this.aggregators = Array.from({ length: aggregatorCount }, () => this.newAggregator());
    this.rebalance();
  }

  note(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
    this.story.push(what);
  }

  passTime(): void {
    this.nowMs += this.random.integer(0, this.stepMsMax);
  }

  report(): void {
    const gateway = this.random.pick(this.gateways as [SimulatedGateway, ...SimulatedGateway[]]);
    if (!gateway.process.isFrozen) void gateway.takeReports();
  }

  writeWatermarks(): void {
    for (const { process, watermarks } of this.aggregators) if (!process.isFrozen) void watermarks.writeNoted();
  }

  /** Each learns it when its turn comes: until then two read the same partition. */
  rebalance(): void {
    this.assigned = this.log.ends().map(() => this.random.integer(0, aggregatorCount - 1));
    this.aggregators.forEach((_aggregator, index) => this.tell(index));
  }

  addPartition(): void {
    if (this.log.ends().length === partitionsMax) return;
    this.log.addPartition();
    this.rebalance();
  }

  killAggregator(): void {
    const index = this.random.integer(0, aggregatorCount - 1);
    const dead = this.aggregators[index];
    if (dead) this.turns.kill(dead.process);
    this.aggregators[index] = this.newAggregator();
    this.tell(index);
  }

  killGateway(index = this.random.integer(0, gatewayCount - 1)): void {
    const dead = this.gateways[index];
    if (dead) this.turns.kill(dead.process);
    this.gateways[index] = this.newGateway();
  }

  freezeOrThaw(): void {
    const some = this.random.pick([...this.aggregators, ...this.gateways] as [SimulatedAggregator | SimulatedGateway]);
    some.process.isFrozen = !some.process.isFrozen;
  }

  /** The gateways start anew: no append is under way for days. */
  passDays(): void {
    this.gateways.forEach((_gateway, index) => this.killGateway(index));
    this.nowMs += this.random.integer(1, 4) * dayMs;
  }

  /** Nothing fails, dies, freezes or is appended any more. */
  heal(): void {
    this.isHealed = true;
    this.gateways.forEach((_gateway, index) => this.killGateway(index));
    for (const { process } of this.aggregators) process.isFrozen = false;
    this.rebalance();
  }

  private tell(index: number): void {
    const partitions = (): number[] => this.assigned.flatMap((to, partition) => (to === index ? [partition] : []));
    void this.aggregators[index]?.join(partitions);
  }

  private newGateway(): SimulatedGateway {
    return new SimulatedGateway(this, this.newProcess());
  }

  private newAggregator(): SimulatedAggregator {
    const { turns, log } = this;
    const process = this.newProcess();
    return new SimulatedAggregator({ process, turns, log, store: createUnreliableStore(this, process) });
  }

  /** Its clock is off, from some others' by all that is allowed. */
  private newProcess(): SimulatedProcess {
    const offMs = this.random.pick([0, rules.clockSkewMaxMs]);
    return { clock: { now: () => this.nowMs + offMs, monotonicMs: () => this.nowMs }, isFrozen: false };
  }
}
