import type { Folder } from './folder.ts';
import type { BatchLimits } from './spool.ts';
import { linesOf, segmentHeader, type SpoolLine } from './spool-format.ts';
import { cursorName } from './spool-names.ts';

/** A segment of ours, while this process has it. */
export interface Segment {
  readonly name: string;
  /** Its durable bytes. Of its own open segment a writer sends nothing beyond them. */
  size: number;
  /** Every byte before this is settled. */
  settledTo: number;
  /** Events that are not settled. */
  queued: number;
  /** Its writer may still append. */
  isOpen: boolean;
}

export interface SegmentPiece {
  readonly lines: readonly SpoolLine[];
  /**
   * The bytes after them. Without a line before them, they are the torn tail of a dead writer, or a line that is too
   * long to be one.
   */
  readonly rest: Buffer;
}

/** The next bytes that are not settled, as lines. Undefined if somebody took the segment away. */
export async function readPiece(
  folder: Folder,
  segment: Segment,
  { bytesMax, eventsMax }: BatchLimits,
): Promise<SegmentPiece | undefined> {
  const handle = await folder.open(segment.name);
  if (handle === undefined) return undefined;
  try {
    const length = Math.min(bytesMax, segment.size - segment.settledTo);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, segment.settledTo);
    const chunk = buffer.subarray(0, bytesRead);
    const lines: SpoolLine[] = [];
    for (const line of linesOf(chunk)) {
      lines.push(line);
      if (lines.length === eventsMax) break; // the bytes have five times as many
    }
    return { lines, rest: chunk.subarray(lines.at(-1)?.end ?? 0) };
  } finally {
    await handle.close();
  }
}

export type SettledBytes = Pick<Segment, 'name' | 'size' | 'settledTo'>;

/** A segment that may be another writer's. Undefined if its owner has just removed it. */
export async function findSegment(folder: Folder, name: string): Promise<SettledBytes | undefined> {
  const size = await folder.size(name);
  if (size === undefined || !(await isSegment(folder, name))) return undefined;
  return { name, size, settledTo: Math.max(await folder.readCursor(name), Math.min(size, segmentHeader.length)) };
}

/** The number of lines from an offset on. */
export async function countLines(folder: Folder, { name, size, settledTo }: SettledBytes): Promise<number> {
  const handle = await folder.open(name);
  if (handle === undefined) return 0;
  const buffer = Buffer.allocUnsafe(256 * 1024);
  try {
    let count = 0;
    for (let at = settledTo; at < size;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) break;
      count += lineFeedsIn(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    return count;
  } finally {
    await handle.close();
  }
}

function lineFeedsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

/** The segment before its cursor: a crash between the two leaves a cursor, which is of no use and no harm. */
export async function removeSegment(folder: Folder, { name }: Segment): Promise<void> {
  await folder.remove(name);
  await folder.remove(cursorName(name));
}

/** Whether a file begins as segments do, as far as it goes. Others are left alone. */
export async function isSegment(folder: Folder, name: string): Promise<boolean> {
  const handle = await folder.open(name);
  if (handle === undefined) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(segmentHeader.length), 0, segmentHeader.length, 0);
    return segmentHeader.subarray(0, bytesRead).equals(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
