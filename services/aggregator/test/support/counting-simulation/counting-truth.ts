import type { UsageEventRecord } from '@tollgate/contracts/events/event-record';
import type { FlushResult } from '../../../src/counting/ports.ts';
import type { Flush } from '../../../src/counting/plan-flush.ts';
import {
  addToFolds,
  deadLetterLine,
  toCountedRows,
  type CountedRows,
  type CountedTable,
  type Fold,
} from './counted-rows.ts';
import type { Report } from './report.ts';
import type { LoggedRecord, SimulatedLog } from './simulated-log.ts';
import type { WatermarkNow } from './simulated-store.ts';

/**
 * Knows which events must have been counted, from the log and from the answers to clients alone. Its rule is one
 * sentence: the records of the log count in the order in which the cursors passed them, each event id once, with the
 * body that came first. It knows nothing of batches, plans, keys or retries.
 */
export class CountingTruth {
  readonly violations: string[] = [];
  private readonly log: SimulatedLog;
  private readonly cursors = new Map<number, bigint>();
  private readonly counted = new Map<string, UsageEventRecord>();
  private readonly dropped = new Set<string>();
  private readonly deadLetters: string[] = [];
  private readonly acknowledged: Report[] = [];
  private readonly awaited = new Set<Report>();
  private lastWatermarks = new Map<number, number>();
  private countedThrough = 0;

  constructor(log: SimulatedLog) {
    this.log = log;
  }

  /** A client was told that its event is recorded. */
  acknowledge(report: Report): void {
    this.acknowledged.push(report);
    if (!report.isLogged) this.violate('an event was acknowledged that is not in the log');
    if (!report.isPassed) this.awaited.add(report);
    if (!report.isPassed && report.receivedAtMs < this.countedThrough)
      this.violate(`acknowledged ${report.receivedAtMs}, and the watermark is at ${this.countedThrough} without it`);
  }

  /** A flush was committed. */
  commit({ partition, expectedOffset, nextOffset }: Flush, result: FlushResult): void {
    const cursor = this.cursorOf(partition);
    if (cursor !== expectedOffset)
      return this.violate(`a flush from ${expectedOffset} was counted at cursor ${cursor} of partition ${partition}`);
    if (nextOffset < cursor) this.violate(`the cursor of partition ${partition} went back from ${cursor}`);
    this.cursors.set(partition, nextOffset);
    const expected = { recorded: 0, repeats: 0, conflicts: 0, undecodable: 0 };
    for (const record of this.log.between(partition, cursor, nextOffset)) {
      expected[this.pass(partition, record)] += 1;
      record.report.isPassed = true;
      this.awaited.delete(record.report);
    }
    const [wanted, is] = [JSON.stringify(expected), JSON.stringify(result)];
    if (wanted !== is) this.violate(`partition ${partition} from ${cursor}: ${is} instead of ${wanted}`);
  }

  refuse({ partition, expectedOffset }: Flush): void {
    if (this.cursorOf(partition) === expectedOffset)
      this.violate(`a flush from ${expectedOffset} was refused, and partition ${partition} stands there`);
  }

  /** Each partition's moves forward alone, and the topic's never passes what was acknowledged and is not counted. */
  watermark({ countedThrough, partitions }: WatermarkNow): void {
    for (const [partition, at] of partitions) {
      const before = this.lastWatermarks.get(partition) ?? Number.NEGATIVE_INFINITY;
      if (at < before) this.violate(`the watermark of partition ${partition} went back from ${before} to ${at}`);
    }
    this.lastWatermarks = new Map(partitions);
    this.countedThrough = countedThrough;
    for (const { receivedAtMs, event } of this.awaited)
      if (receivedAtMs < countedThrough)
        this.violate(`the watermark is at ${countedThrough}, and ${event?.event_id} of ${receivedAtMs} is not counted`);
  }

  /** The events of these days are no longer kept. Answers how many. */
  dropEventDays(days: readonly string[]): number {
    const before = this.dropped.size;
    const isDropped = ({ occurred_at: at }: UsageEventRecord) => days.includes(at.slice(0, 10));
    for (const { event } of this.awaited)
      if (event && isDropped(event)) this.violate(`a day was dropped, and ${event.event_id} of it is not counted`);
    for (const [id, event] of this.counted) if (isDropped(event)) this.dropped.add(id);
    return this.dropped.size - before;
  }

  isDrained(): boolean {
    return this.log.ends().every((end, partition) => this.cursorOf(partition) === end);
  }

  isCountedThrough(ms: number): boolean {
    return this.countedThrough >= ms;
  }

  /**
   * Compares after the log is drained: everything that was acknowledged is counted, and the rows are those that the log
   * comes to.
   */
  compare(rows: CountedRows): void {
    for (const { isPassed, event } of this.acknowledged)
      if (!isPassed || (event && !this.counted.has(event.event_id))) this.violate(`lost: ${event?.event_id}`);
    const wanted = this.rows();
    const tables = Object.keys(wanted) as CountedTable[]; // a record's
    for (const table of tables)
      for (const difference of differences(wanted[table], rows[table])) this.violate(`${table} ${difference}`);
  }

  private rows(): CountedRows {
    const folds = new Map<string, Fold>();
    for (const event of this.counted.values()) addToFolds(folds, event);
    return toCountedRows({
      cursors: this.log.ends().map((end, partition) => [partition, end]),
      keyed: [...this.counted.values()].filter(({ body_hash: hash }) => hash !== undefined),
      events: [...this.counted.values()].filter(({ event_id: id }) => !this.dropped.has(id)),
      folds,
      deadLetters: this.deadLetters,
    });
  }

  private pass(partition: number, { offset, report }: LoggedRecord): keyof FlushResult {
    const { event, problem = '' } = report;
    if (!event) {
      this.deadLetters.push(`${partition} ${offset} ${deadLetterLine(problem)}`);
      return 'undecodable';
    }
    const first = this.counted.get(event.event_id);
    if (!first) {
      this.counted.set(event.event_id, event);
      return 'recorded';
    }
    if (first.body_hash === event.body_hash) return 'repeats';
    this.deadLetters.push(`${partition} ${offset} ${deadLetterLine('idempotency_conflict', event)}`);
    return 'conflicts';
  }

  private cursorOf(partition: number): bigint {
    return this.cursors.get(partition) ?? 0n;
  }

  /** Something is wrong, in words. */
  violate(what: string): void {
    this.violations.push(what);
  }
}

function differences(wanted: readonly string[], are: readonly string[]): string[] {
  const [left, right] = [new Set(wanted), new Set(are)];
  return [
    ...wanted.filter((line) => !right.has(line)).map((line) => `lack: ${line}`),
    ...are.filter((line) => !left.has(line)).map((line) => `have too many: ${line}`),
    ...(are.length === right.size ? [] : ['have a row twice']),
  ];
}
