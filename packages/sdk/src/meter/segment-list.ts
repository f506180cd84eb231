import type { Folder } from './folder.ts';
import { removeSegment, type Segment } from './segment.ts';

/** The segments of this writer, the oldest first. The open one, if there is one, is the last. */
export interface SegmentList {
  first(): Segment | undefined;
  addNewest(segment: Segment): void;
  addOldest(segments: readonly Segment[]): void;
  /** Drops a segment that another writer has taken. */
  forget(segment: Segment): void;
  /** Everything before the offset is settled, `events` more than before: the cursor says so, or the segment goes. */
  settleTo(segment: Segment, offset: number, events: number): Promise<void>;
  bytes(): number;
  /** Events that are not settled. */
  queued(): number;
}

export function createSegmentList(folder: Folder): SegmentList {
  let segments: Segment[] = [];

  function forget(segment: Segment): void {
    segments = segments.filter((other) => other !== segment);
  }

  return {
    first: () => segments[0],
    addNewest: (segment) => void segments.push(segment),
    addOldest: (older) => void (segments = [...older, ...segments]),
    forget,
    async settleTo(segment, offset, events) {
      segment.settledTo = offset;
      segment.queued -= events;
      if (offset >= segment.size && !segment.isOpen) {
        forget(segment);
        await removeSegment(folder, segment);
      } else {
        await folder.writeCursor(segment.name, offset).catch(() => undefined); // an older one only costs repeats
      }
    },
    bytes: () => segments.reduce((sum, { size }) => sum + size, 0),
    queued: () => segments.reduce((sum, { queued }) => sum + queued, 0),
  };
}
