import type { LogBatch, StoredRecord } from '@tollgate/event-log/event-log';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { topic } from '../counting-fixture.ts';
import type { Report } from './report.ts';

export interface LoggedRecord extends StoredRecord {
  readonly report: Report;
}

/** The log's port, in memory: what is appended stays, in the order in which it came, at offsets with gaps. */
export class SimulatedLog {
  private readonly random: SeededRandom;
  private readonly partitions: LoggedRecord[][] = [];
  private readonly nextOffsets: bigint[] = [];

  constructor(random: SeededRandom, partitions: number) {
    this.random = random;
    while (this.partitions.length < partitions) this.addPartition();
  }

  addPartition(): void {
    this.partitions.push([]);
    this.nextOffsets.push(0n);
  }

  /** One past the last record of each partition, or past a marker that follows it. */
  ends(): readonly bigint[] {
    return [...this.nextOffsets];
  }

  append(partition: number, report: Report): void {
    const gap = this.random.chance(0.05) ? BigInt(this.random.integer(1, 3)) : 0n;
    const offset = (this.nextOffsets[partition] ?? 0n) + gap;
    this.partitions[partition]?.push({ offset, key: report.key, value: report.value, report });
    this.nextOffsets[partition] = offset + 1n + (this.random.chance(0.02) ? 1n : 0n);
    report.isLogged = true;
  }

  /**
   * Reads a batch of any size, now and then with records that were read before. Undefined: nothing is left at or after
   * `from`.
   */
  read(partition: number, from: bigint): LogBatch | undefined {
    const records = this.partitions[partition] ?? [];
    const first = indexOf(records, from);
    if (first === records.length) return undefined;
    const begin = this.random.chance(0.1) ? Math.max(0, first - this.random.integer(1, 4)) : first;
    const some = records.slice(begin, first + this.random.integer(1, this.random.chance(0.3) ? 30 : 4));
    const nextOffset = records[begin + some.length]?.offset ?? this.nextOffsets[partition] ?? 0n;
    return { topic, partition, firstOffset: some[0]?.offset ?? from, nextOffset, records: some };
  }

  /** An earlier batch, though nothing has failed: more than any log does, and counting bears it. */
  handsOutAgain(): boolean {
    return this.random.chance(0.03);
  }

  /** All records in [from, to). */
  between(partition: number, from: bigint, to: bigint): readonly LoggedRecord[] {
    const records = this.partitions[partition] ?? [];
    return records.slice(indexOf(records, from), indexOf(records, to));
  }
}

/** Finds the first record at or after the offset. It searches from the end, since cursors are there. */
function indexOf(records: readonly LoggedRecord[], offset: bigint): number {
  let index = records.length;
  while (index > 0 && (records[index - 1]?.offset ?? -1n) >= offset) index -= 1;
  return index;
}
