import type { Folder } from './folder.ts';
import type { SegmentList } from './segment-list.ts';
import { readPiece, type Segment, type SegmentPiece } from './segment.ts';
import type { BatchLimits } from './spool.ts';

export interface SegmentBatch {
  readonly segment: Segment;
  readonly events: readonly string[];
  /** Where each event ends in the segment. */
  readonly ends: readonly number[];
}

export interface NextBatchOptions {
  readonly folder: Folder;
  readonly list: SegmentList;
  /** Keeps bytes that are no event, durably. */
  keepDamaged(bytes: Buffer): Promise<void>;
}

/** Reads the oldest events that are not settled. Torn tails and damaged lines are settled on the way. */
export async function readNextBatch(options: NextBatchOptions, limits: BatchLimits): Promise<SegmentBatch | undefined> {
  const { folder, list } = options;
  for (let segment = list.first(); segment !== undefined; segment = list.first()) {
    const isRead = segment.settledTo >= segment.size;
    if (isRead && segment.isOpen) return undefined; // the newest
    if (isRead) await list.settleTo(segment, segment.size, 0);
    else {
      const piece = await readPiece(folder, segment, limits);
      if (piece === undefined) list.forget(segment); // another writer took it
      else {
        const batch = toBatch(segment, piece);
        if (batch.events.length > 0) return batch;
        await passOver(options, segment, piece);
      }
    }
  }
  return undefined;
}

/** The events up to the first line that is damaged. */
function toBatch(segment: Segment, { lines }: SegmentPiece): SegmentBatch {
  const events: string[] = [];
  const ends: number[] = [];
  for (const { json, end } of lines) {
    if (json === undefined) break;
    events.push(json);
    ends.push(segment.settledTo + end);
  }
  return { segment, events, ends };
}

/** The piece begins with a line that is damaged, or has no whole line at all. */
async function passOver({ list, keepDamaged }: NextBatchOptions, segment: Segment, piece: SegmentPiece): Promise<void> {
  const [line] = piece.lines;
  const isTail = segment.settledTo + piece.rest.length >= segment.size;
  if (line !== undefined) await keepDamaged(line.bytes);
  else if (!isTail) await keepDamaged(piece.rest);
  const end = segment.settledTo + (line?.end ?? piece.rest.length);
  await list.settleTo(segment, end, line === undefined ? 0 : 1);
}
