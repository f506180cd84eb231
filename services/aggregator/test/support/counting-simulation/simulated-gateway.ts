import { partitionOfKey } from '@tollgate/event-log/partition-of-key';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { rules } from '../counting-fixture.ts';
import type { CountingTruth } from './counting-truth.ts';
import type { Report, Reports } from './report.ts';
import type { SimulatedLog } from './simulated-log.ts';
import type { SimulatedProcess, Turns } from './turns.ts';

export interface GatewayWorld {
  readonly random: SeededRandom;
  readonly turns: Turns;
  readonly log: SimulatedLog;
  readonly truth: CountingTruth;
  readonly reports: Reports;
}

const sendsMax = 3;

/**
 * A gateway as the log sees it: it appends, sends again what was not answered, and acknowledges at the very last and within
 * the deadline. It goes by the partitions that the topic had when it started. (What it answers by itself, from its memory of
 * keys, the log never sees; the gateway's own tests do.)
 */
export class SimulatedGateway {
  readonly process: SimulatedProcess;
  private readonly world: GatewayWorld;
  private readonly partitions: number;

  constructor(world: GatewayWorld, process: SimulatedProcess) {
    this.world = world;
    this.process = process;
    this.partitions = world.log.ends().length;
  }

  /** Some clients report at once: one append, of which all, some or nothing arrives, perhaps more than once, or late. */
  async takeReports(): Promise<void> {
    const { random, turns, reports, truth } = this.world;
    const { clock } = this.process;
    const startedMs = clock.monotonicMs();
    const some = Array.from({ length: random.integer(1, 4) }, () => reports.next(clock.now()));
    const stalledMs = random.chance(0.2) ? random.integer(0, rules.appendDeadlineMs) : 0;
    while (clock.monotonicMs() - startedMs < stalledMs) await turns.ask(this.process, () => undefined);
    for (let sends = 1; sends <= sendsMax; sends += 1) {
      const isAnswered = await turns.ask(this.process, () => this.send(some));
      if (!isAnswered) continue;
      await turns.ask(this.process, () => undefined); // the answer is on its way
      const isInTime = clock.monotonicMs() - startedMs < rules.appendDeadlineMs;
      if (isInTime) for (const report of some) truth.acknowledge(report);
      return;
    }
  }

  /** Whether the log says that all of it is there. */
  private send(reports: readonly Report[]): boolean {
    const { random } = this.world;
    const draw = random.next();
    if (draw < 0.1) return false; // lost on the way there
    const arriving = draw < 0.2 ? reports.filter(() => random.chance(0.5)) : reports; // some partitions' leaders are away
    for (const report of arriving) this.world.log.append(partitionOfKey(report.key, this.partitions), report);
    return draw >= 0.3; // or lost on the way back
  }
}
