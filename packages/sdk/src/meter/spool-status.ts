import { folderAt, type Folder } from './folder.ts';
import { countLines, findSegment, readPiece } from './segment.ts';

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
    const found = await figuresOf(folder, name);
    if (found === undefined) continue;
    const { size, queued, oldest } = found;
    figures.segments += 1;
    figures.bytes += size;
    figures.queued += queued;
    if (oldest !== undefined && (figures.oldest === null || oldest < figures.oldest)) figures.oldest = oldest;
  }
  const rejected = (await folder.read('rejected.jsonl'))?.toString().split('\n').length ?? 1;
  return { ...figures, rejected: rejected - 1 };
}

async function figuresOf(folder: Folder, name: string) {
  const found = await findSegment(folder, name);
  if (found === undefined) return undefined;
  const queued = await countLines(folder, found);
  const segment = { ...found, queued, isOpen: false };
  const piece = queued === 0 ? undefined : await readPiece(folder, segment, firstLine);
  const { timestamp } = JSON.parse(piece?.lines[0]?.json ?? '{}') as { timestamp?: string };
  return { size: found.size, queued, oldest: timestamp };
}
