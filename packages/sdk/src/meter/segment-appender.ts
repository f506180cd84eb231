import type { FileHandle } from 'node:fs/promises';
import type { Folder } from './folder.ts';
import type { Segment } from './segment.ts';
import { segmentHeader } from './spool-format.ts';

export interface AppenderOptions {
  readonly folder: Folder;
  /** False: the operating system flushes when it likes. */
  readonly isFlushed: boolean;
  readonly segmentBytes: number;
  /** The name of the next segment. */
  nextName(): string;
  onOpened(segment: Segment): void;
  /** Somebody took the segment over, with everything that was appended to it before. */
  onTaken(segment: Segment): void;
}

interface OpenSegment {
  readonly segment: Segment;
  readonly handle: FileHandle;
}

/** Appends to the open segment of a writer, one call at a time, and opens the next one when it is full. */
export function createAppender(options: AppenderOptions) {
  const { folder, isFlushed, segmentBytes } = options;
  let current: OpenSegment | undefined;

  /**
   * The fence: a segment that lost its name while we wrote belongs to another, who may have read it before these bytes
   * were in it. So they are written again, and their keys keep them from counting twice.
   */
  async function append(bytes: Buffer, events: number): Promise<void> {
    for (;;) {
      current ??= await openSegment(options);
      const { segment, handle } = current;
      if (await write(current, bytes)) {
        segment.size += bytes.length;
        segment.queued += events;
        if (segment.size >= segmentBytes) await close();
        return;
      }
      current = undefined;
      options.onTaken(segment);
      await handle.close();
    }
  }

  /**
   * False if the segment has lost its name. After a failure nobody knows what the disk has: the segment is cut back to its
   * last flush and never appended to.
   */
  async function write({ segment, handle }: OpenSegment, bytes: Buffer): Promise<boolean> {
    try {
      await handle.writeFile(bytes);
      if (isFlushed) await handle.datasync();
      return await folder.has(segment.name);
    } catch (error) {
      await handle.truncate(segment.size).catch(ignore);
      await close().catch(ignore);
      throw error;
    }
  }

  async function close(): Promise<void> {
    const open = current;
    current = undefined;
    if (open === undefined) return;
    open.segment.isOpen = false;
    await open.handle.close();
  }

  return { append, close };
}

async function openSegment({ folder, isFlushed, nextName, onOpened }: AppenderOptions): Promise<OpenSegment> {
  const name = nextName();
  const handle = await folder.create(name);
  try {
    await handle.writeFile(segmentHeader);
    if (isFlushed) await folder.sync();
  } catch (error) {
    await handle.close();
    await folder.remove(name);
    throw error;
  }
  const segment = { name, size: segmentHeader.length, settledTo: segmentHeader.length, queued: 0, isOpen: true };
  onOpened(segment);
  return { segment, handle };
}

function ignore(): void {
  // the first failure is the one to report
}
