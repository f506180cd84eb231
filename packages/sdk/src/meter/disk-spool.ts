import type { Clock } from '../clock.ts';
import { parseSent } from './parse-sent.ts';
import { belongsTo } from './check-account.ts';
import { openFolder, type Folder } from './folder.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { readNextBatch } from './next-batch.ts';
import { createAppender } from './segment-appender.ts';
import { createSegmentList, type SegmentList } from './segment-list.ts';
import { countLines, findSegment } from './segment.ts';
import { SpoolFull } from './spool-error.ts';
import { newWriter, segmentName } from './spool-names.ts';
import type { BatchLimits, Refusal, Spool, SpoolBatch, SpoolFigures } from './spool.ts';
import { takeOver } from './take-over.ts';
import type { KeyedEvent } from './to-event.ts';
import { createWriterLock, type WriterLock } from './writer-lock.ts';

export interface DiskSpoolOptions {
  readonly dir: string;
  /** False: the operating system flushes when it likes. */
  readonly isFlushed: boolean;
  readonly maxBytes: number;
  readonly clock: Clock;
  warn(message: string): void;
}

const segmentBytesMax = 4 * 1024 * 1024;
const lineOverheadBytes = 10; // checksum, space, line feed
const rejectedFile = 'rejected.jsonl';

/** Opens a spool in a folder, as SPOOL.md describes it, and takes over what dead writers left there. */
export async function openDiskSpool(options: DiskSpoolOptions): Promise<Spool> {
  const spool = new DiskSpool(await openFolder(options.dir), options);
  await spool.tend();
  return spool;
}

class DiskSpool implements Spool {
  readonly #folder: Folder;
  readonly #options: DiskSpoolOptions;
  readonly #writer = newWriter();
  readonly #lock: WriterLock;
  readonly #list: SegmentList;
  readonly #appender: ReturnType<typeof createAppender>;
  readonly #commit: GroupCommit;
  readonly #unknown = new Set<string>();
  #lastNumber = 0;
  #waitingBytes = 0;
  #othersBytes = 0;
  #damaged = 0;

  constructor(folder: Folder, options: DiskSpoolOptions) {
    const { isFlushed, maxBytes } = options;
    this.#folder = folder;
    this.#options = options;
    this.#lock = createWriterLock(folder, this.#writer);
    this.#list = createSegmentList(folder);
    this.#appender = createAppender({
      folder,
      isFlushed,
      segmentBytes: Math.min(segmentBytesMax, Math.ceil(maxBytes / 4)),
      nextName: this.#nextName,
      onOpened: this.#list.addNewest,
      onTaken: this.#list.forget,
    });
    this.#commit = createGroupCommit(this.#write);
  }

  append({ json, idempotencyKey }: KeyedEvent): Promise<void> {
    const { maxBytes, dir } = this.#options;
    const bytes = Buffer.byteLength(json) + lineOverheadBytes;
    if (this.#bytes() + this.#waitingBytes + bytes > maxBytes) {
      const message = `the spool in ${dir} has reached ${maxBytes} bytes: Tollgate does not take events fast enough`;
      return Promise.reject(new SpoolFull(message, { code: 'spool_full', idempotencyKey }));
    }
    this.#waitingBytes += bytes;
    return this.#commit.append(json);
  }

  async next(limits: BatchLimits): Promise<SpoolBatch | undefined> {
    const options = { folder: this.#folder, list: this.#list, keepDamaged: this.#keepDamaged };
    const batch = await readNextBatch(options, limits);
    if (batch === undefined) return undefined;
    const { segment, events, ends } = batch;
    return {
      events,
      settle: async (count) => {
        const end = ends[count - 1];
        if (end !== undefined) await this.#list.settleTo(segment, end, count);
      },
    };
  }

  async keepRefused(refusals: readonly Refusal[]): Promise<void> {
    await this.#keepRejected(refusals.map(({ event, error }) => ({ ...error, event: parseSent(event) })));
  }

  async belongsTo(accountId: string): Promise<boolean> {
    return belongsTo(this.#folder, accountId);
  }

  async tend(): Promise<void> {
    await this.#lock.beat();
    const { segments, othersBytes } = await takeOver({
      folder: this.#folder,
      lock: this.#lock,
      writer: this.#writer,
      nextName: this.#nextName,
      onUnknown: this.#warnOfUnknown,
    });
    this.#list.addOldest(segments);
    this.#othersBytes = othersBytes;
  }

  figures(): SpoolFigures {
    return { queued: this.#list.queued(), bytes: this.#bytes(), damaged: this.#damaged };
  }

  async flushed(): Promise<void> {
    await this.#commit.drained();
  }

  async close(): Promise<void> {
    await this.#commit.drained();
    await this.#appender.close();
    await readNextBatch(
      { folder: this.#folder, list: this.#list, keepDamaged: this.#keepDamaged },
      { eventsMax: 1, bytesMax: 70_000 },
    ); // removes segments that are settled
    await this.#lock.release();
  }

  async others(): Promise<number> {
    const files = await this.#folder.files();
    let events = 0;
    for (const { name, writer, kind } of files) {
      if (kind !== 'spool' || writer === this.#writer) continue;
      const found = await findSegment(this.#folder, name);
      if (found !== undefined) events += await countLines(this.#folder, found);
    }
    return events;
  }

  readonly #write = async (bytes: Buffer, events: number): Promise<void> => {
    try {
      await this.#appender.append(bytes, events);
    } finally {
      this.#waitingBytes -= bytes.length;
    }
  };

  readonly #nextName = (): string => {
    this.#lastNumber += 1;
    return segmentName(this.#writer, this.#lastNumber);
  };

  readonly #keepDamaged = async (bytes: Buffer): Promise<void> => {
    const error = { status: 0, code: 'damaged_line', detail: 'The checksum of the line is wrong.' };
    await this.#keepRejected([{ ...error, bytes_base64: bytes.toString('base64') }]);
    this.#damaged += 1;
    this.#options.warn(`the spool in ${this.#options.dir} has a damaged line; see ${rejectedFile}`);
  };

  readonly #warnOfUnknown = (name: string): void => {
    if (this.#unknown.has(name)) return;
    this.#unknown.add(name);
    this.#options.warn(`${name} in ${this.#options.dir} was written by a newer version, and is not read`);
  };

  async #keepRejected(lines: readonly object[]): Promise<void> {
    const rejectedAt = new Date(this.#options.clock.now()).toISOString();
    const text = lines.map((line) => `${JSON.stringify({ rejected_at: rejectedAt, ...line })}\n`).join('');
    await this.#folder.appendDurably(rejectedFile, text);
  }

  #bytes(): number {
    return this.#list.bytes() + this.#othersBytes;
  }
}
