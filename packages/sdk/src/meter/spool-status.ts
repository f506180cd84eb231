import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { folderAt, type Folder } from './folder.ts';
import { countLines, isSegment, readPiece } from './segment.ts';
import { segmentHeader } from './spool-format.ts';

export interface SpoolStatus {
  readonly segments: number;
  readonly bytes: number;
  /** Events that are not settled. */
  readonly queued: number;
  /** The time of the oldest of them. */
  readonly oldest: string | null;
  /** Lines of `rejected.jsonl`. */
  readonly rejected: number;
}

const firstLine = { eventsMax: 1, bytesMax: 70_000 };

/** Looks into a spool folder and changes nothing; its meters may be at work. */
export async function spoolStatus(dir: string): Promise<SpoolStatus> {
  const folder = folderAt(dir);
  const names = (await folder.files()).flatMap(({ name, kind }) => (kind === 'spool' ? [name] : []));
  const figures = { segments: 0, bytes: 0, queued: 0, oldest: null as string | null };
  for (const name of names.sort()) {
    if (!(await isSegment(folder, name))) continue;
    const { size, queued, oldest } = await figuresOf(folder, name);
    figures.segments += 1;
    figures.bytes += size;
    figures.queued += queued;
    if (oldest !== undefined && (figures.oldest === null || oldest < figures.oldest)) figures.oldest = oldest;
  }
  const rejected = (await folder.read('rejected.jsonl'))?.toString().split('\n').length ?? 1;
  return { ...figures, rejected: rejected - 1 };
}

async function figuresOf(folder: Folder, name: string) {
  const { size } = await stat(join(folder.path, name));
  const settledTo = Math.max(await folder.readCursor(name), Math.min(size, segmentHeader.length));
  const queued = await countLines(folder, { name, size, settledTo });
  const segment = { name, size, settledTo, queued, isOpen: false };
  const piece = queued === 0 ? undefined : await readPiece(folder, segment, firstLine);
  const { timestamp } = JSON.parse(piece?.lines[0]?.json ?? '{}') as { timestamp?: string };
  return { size, queued, oldest: timestamp };
}
