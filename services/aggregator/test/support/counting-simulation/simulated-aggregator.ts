import { isAppError } from '@tollgate/kernel/app-error';
import type { LogBatch } from '@tollgate/event-log/event-log';
import { createCursors, type Cursors } from '../../../src/counting/cursors.ts';
import { CursorMoved, type UsageStore } from '../../../src/counting/ports.ts';
import { createProcessBatch } from '../../../src/counting/process-batch.ts';
import { createWatermarks, type Watermarks } from '../../../src/counting/watermarks.ts';
import { log as logger, rules, topic } from '../counting-fixture.ts';
import type { SimulatedLog } from './simulated-log.ts';
import type { SimulatedProcess, Turns } from './turns.ts';

/** A partition for as long as this process believes that it has it: another assignment is another object. */
interface Holding {
  readonly partition: number;
  isHeld: boolean;
  /** Ended once nothing of it runs any more. */
  reading: Promise<void>;
}

interface Ends {
  readonly asOf: number;
  readonly offsets: readonly bigint[];
}

/** How old a look at the topic's partitions may be when a batch is handed out: see `onPartitions` of the log's port. */
const lookStaleAfterMs = 1_000;

/**
 * An aggregator from its start to its death. All that counts is the service's own code, put together as service.ts does it;
 * what stands in is the log's reader, which does what the log's port promises, and at times worse.
 */
export class SimulatedAggregator {
  readonly process: SimulatedProcess;
  readonly watermarks: Watermarks;
  private readonly turns: Turns;
  private readonly log: SimulatedLog;
  private readonly store: UsageStore;
  private readonly cursors: Cursors;
  private readonly processBatch: ReturnType<typeof createProcessBatch>;
  private holdings = new Map<number, Holding>();
  private partitionsReported = 0;
  private lookedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: { process: SimulatedProcess; turns: Turns; log: SimulatedLog; store: UsageStore }) {
    const { process, turns, log, store } = parts;
    const { clock } = process;
    this.process = process;
    this.turns = turns;
    this.log = log;
    this.store = store;
    this.cursors = createCursors(store, topic);
    this.watermarks = createWatermarks({ store, topic, rules, clock, log: logger });
    this.processBatch = createProcessBatch({ store, cursors: this.cursors, rules, clock });
  }

  /** The group has given it partitions, which it learns at a turn of its own. They are asked for then, the newest. */
  async join(assigned: () => readonly number[]): Promise<void> {
    const partitions = await this.turns.ask(this.process, assigned);
    for (const holding of this.holdings.values()) holding.isHeld = false;
    const before = this.holdings;
    this.holdings = new Map();
    for (const partition of partitions) {
      const holding: Holding = { partition, isHeld: true, reading: Promise.resolve() };
      this.holdings.set(partition, holding);
      holding.reading = this.read(holding, before.get(partition)?.reading);
    }
  }

  /** Never two at once a partition, and after each failure again from the cursor. */
  private async read(holding: Holding, before: Promise<void> | undefined): Promise<void> {
    await before;
    while (holding.isHeld) {
      try {
        await this.look(); // as at the start: nothing is read before its partitions have cursors
        await this.readFrom(holding, await this.cursors.read(holding.partition));
      } catch (error) {
        if (!(error instanceof CursorMoved) && !isAppError(error, 'unavailable')) throw error;
      }
    }
  }

  private async readFrom(holding: Holding, from: bigint): Promise<void> {
    const { partition } = holding;
    let before: LogBatch | undefined;
    for (let cursor = from; holding.isHeld;) {
      const batch = await this.askLog(() => this.log.read(partition, cursor));
      if (!holding.isHeld) return;
      if (batch) {
        if (this.process.clock.monotonicMs() - this.lookedMs > lookStaleAfterMs) await this.look();
        await this.processBatch(batch);
        if (before && this.log.handsOutAgain()) await this.processBatch(before);
        before = batch;
        cursor = batch.nextOffset;
      } else {
        const { asOf, offsets } = await this.look();
        if (offsets[partition] === cursor) this.watermarks.noteCaughtUp(partition, cursor, asOf);
      }
    }
  }

  /** The log's ends; the topic's new partitions are reported before anybody learns more. */
  private async look(): Promise<Ends> {
    const { clock } = this.process;
    const asOf = clock.now();
    const askedMs = clock.monotonicMs();
    const offsets = await this.askLog(() => this.log.ends());
    if (offsets.length > this.partitionsReported) {
      await this.store.registerPartitions(topic, offsets.length);
      this.partitionsReported = offsets.length;
    }
    this.lookedMs = askedMs;
    return { asOf, offsets };
  }

  private askLog<T>(question: () => T): Promise<T> {
    return this.turns.call(this.process, async () => question(), 'answered');
  }
}
