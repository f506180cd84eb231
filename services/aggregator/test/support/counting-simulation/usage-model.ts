import { dayMs } from '@tollgate/kernel/durations';
import type { UsageEventRecord } from '@tollgate/contracts/events/event-record';
import { CursorMoved, type FlushResult, type PartitionWatermark } from '../../../src/counting/ports.ts';
import type { CountableEvent, Flush } from '../../../src/counting/plan-flush.ts';
import { addToFolds, deadLetterLine, toCountedRows, type CountedRows, type Fold } from './counted-rows.ts';
import type { SimulatedStore, WatermarkNow } from './simulated-store.ts';

/** A defence to leave out, to see whether anybody would miss it. */
export type Omission = 'cursor' | 'keys';

interface Cursor {
  nextOffset: bigint;
  countedThrough: number;
}

/**
 * The schema `usage` in memory, as far as counting goes. Each method is one transaction and takes effect at once, whole; what
 * each part stands for is named where it is. That the real statements do the same, row by row, is what
 * counting-simulation.int.test.ts shows.
 */
export class UsageModel implements SimulatedStore {
  private readonly without: Omission | undefined;
  private partitions = 0; // usage.log_topic
  private readonly cursors = new Map<number, Cursor>(); // usage.cursor
  private readonly keys = new Map<string, UsageEventRecord>(); // usage.event_key, by its primary key
  private readonly events = new Map<string, UsageEventRecord>(); // usage.event, by its primary key
  private readonly folds = new Map<string, Fold>(); // the rollups and their measures, by primary key
  private readonly deadLetters = new Map<string, string>(); // usage.dead_letter, by its primary key

  constructor(without?: Omission) {
    this.without = without;
  }

  /** counting/sql-cursors.ts */
  async registerPartitions(_topic: string, partitions: number): Promise<void> {
    this.partitions = Math.max(this.partitions, partitions);
    for (let partition = 0; partition < partitions; partition += 1)
      if (!this.cursors.has(partition))
        this.cursors.set(partition, { nextOffset: 0n, countedThrough: Number.NEGATIVE_INFINITY });
  }

  /** counting/sql-cursors.ts */
  async cursorOf(_topic: string, partition: number): Promise<bigint> {
    return this.cursorAt(partition).nextOffset;
  }

  /** counting/sql-move-watermarks.ts */
  async moveWatermarks(_topic: string, watermarks: readonly PartitionWatermark[]): Promise<void> {
    for (const { partition, nextOffset, countedThrough } of watermarks) {
      const cursor = this.cursors.get(partition);
      if (cursor?.nextOffset === nextOffset) cursor.countedThrough = Math.max(cursor.countedThrough, countedThrough);
    }
  }

  /** The transaction of pg-usage-store.ts, statement by statement. */
  async commit(flush: Flush, countedThroughMs: number | undefined): Promise<FlushResult> {
    const { events, repeats, undecodable } = flush;
    this.advanceCursor(flush, countedThroughMs);
    const { recorded, claimed } = this.recordEvents(events);
    const keyed = [...events, ...repeats].filter(({ event }) => event.body_hash !== undefined);
    const conflicts = keyed.length > claimed ? this.putConflicts(flush.partition, keyed) : 0;
    for (const { offset, code } of undecodable)
      this.putDeadLetter(`${flush.partition} ${offset}`, deadLetterLine(code));
    const seen = events.length + repeats.length;
    return { recorded, repeats: seen - recorded - conflicts, conflicts, undecodable: undecodable.length };
  }

  /** Before its COMMIT nothing of a transaction is there. */
  async breakOff(): Promise<void> {
    return undefined;
  }

  /** usage.drop_days_before */
  async dropEventDaysBefore(date: string): Promise<readonly string[]> {
    const { countedThrough } = await this.watermark();
    const dropped = new Set<string>();
    for (const [id, { occurred_at: occurredAt }] of this.events) {
      const day = occurredAt.slice(0, 10);
      if (day >= date || Date.parse(day) + 2 * dayMs > countedThrough) continue;
      this.events.delete(id);
      dropped.add(day);
    }
    return [...dropped];
  }

  /** usage.watermark_v1 */
  async watermark(): Promise<WatermarkNow> {
    const partitions = new Map<number, number>();
    for (const [partition, { countedThrough }] of this.cursors)
      if (countedThrough > Number.NEGATIVE_INFINITY) partitions.set(partition, countedThrough);
    return { countedThrough: partitions.size >= this.partitions ? Math.min(...partitions.values()) : 0, partitions };
  }

  async rows(): Promise<CountedRows> {
    return toCountedRows({
      cursors: Array.from(this.cursors, ([partition, { nextOffset }]) => [partition, nextOffset] as const),
      keyed: this.keys.values(),
      events: this.events.values(),
      folds: this.folds,
      deadLetters: this.deadLetters.values(),
    });
  }

  /** counting/sql-advance-cursor.ts */
  private advanceCursor({ partition, expectedOffset, nextOffset }: Flush, countedThroughMs: number | undefined): void {
    const cursor = this.cursorAt(partition);
    if (cursor.nextOffset !== expectedOffset && this.without !== 'cursor')
      throw new CursorMoved(`partition ${partition} is not at ${expectedOffset}`);
    cursor.nextOffset = nextOffset;
    cursor.countedThrough = Math.max(cursor.countedThrough, countedThroughMs ?? cursor.countedThrough);
  }

  /** counting/sql-record-events.ts: `claimed`, `fresh`, then `rolled` and `measured` of what was fresh. */
  private recordEvents(events: readonly CountableEvent[]): { recorded: number; claimed: number } {
    const claimed = new Set<string>();
    for (const { event } of events) {
      if (event.body_hash === undefined || (this.keys.has(event.event_id) && this.without !== 'keys')) continue;
      this.keys.set(event.event_id, event);
      claimed.add(event.event_id);
    }
    let recorded = 0;
    for (const { event } of events) {
      if (event.body_hash !== undefined && !claimed.has(event.event_id)) continue;
      const primaryKey = `${event.consumer_id} ${event.occurred_at} ${event.event_id}`;
      if (this.events.has(primaryKey)) continue;
      this.events.set(primaryKey, event);
      addToFolds(this.folds, event);
      recorded += 1;
    }
    return { recorded, claimed: claimed.size };
  }

  /** counting/sql-put-conflicts.ts */
  private putConflicts(partition: number, keyed: readonly CountableEvent[]): number {
    const conflicts = keyed.filter(({ event }) => this.keys.get(event.event_id)?.body_hash !== event.body_hash);
    for (const { offset, event } of conflicts)
      this.putDeadLetter(`${partition} ${offset}`, deadLetterLine('idempotency_conflict', event));
    return conflicts.length;
  }

  /** counting/sql-put-dead-letters.ts, and the end of counting/sql-put-conflicts.ts: `on conflict do nothing` */
  private putDeadLetter(place: string, line: string): void {
    if (!this.deadLetters.has(place)) this.deadLetters.set(place, `${place} ${line}`);
  }

  private cursorAt(partition: number): Cursor {
    const cursor = this.cursors.get(partition);
    if (!cursor) throw new Error(`partition ${partition} has no cursor`);
    return cursor;
  }
}
