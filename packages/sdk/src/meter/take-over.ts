import type { Folder } from './folder.ts';
import { countLines, isSegment, type Segment } from './segment.ts';
import { segmentHeader } from './spool-format.ts';
import { cursorName, type SpoolFile } from './spool-names.ts';
import type { WriterLock } from './writer-lock.ts';

export interface TakeOverOptions {
  readonly folder: Folder;
  readonly lock: WriterLock;
  readonly writer: string;
  nextName(): string;
  /** A segment of a version that we do not know, or a file that is none. */
  onUnknown(name: string): void;
}

export interface TakenOver {
  readonly segments: readonly Segment[];
  /** Bytes of the segments of living writers. */
  readonly othersBytes: number;
}

/** Takes over the segments of writers that have ended, and removes what else they left behind. */
export async function takeOver(options: TakeOverOptions): Promise<TakenOver> {
  const { folder, lock, writer } = options;
  const segments: Segment[] = [];
  let othersBytes = 0;
  for (const [other, files] of Object.entries(byWriter(await folder.files()))) {
    if (other === writer) continue;
    if (await lock.isAlive(other)) othersBytes += await bytesOf(folder, files);
    else segments.push(...(await takeFrom(files, options)));
  }
  return { segments, othersBytes };
}

function byWriter(files: readonly SpoolFile[]): Record<string, SpoolFile[]> {
  const writers: Record<string, SpoolFile[]> = {};
  for (const file of files) (writers[file.writer] ??= []).push(file);
  return writers;
}

async function takeFrom(files: readonly SpoolFile[], options: TakeOverOptions): Promise<Segment[]> {
  const { folder } = options;
  const taken: Segment[] = [];
  const names = files.filter(({ kind }) => kind === 'spool').map(({ name }) => name);
  for (const name of names.sort()) {
    if (await isSegment(folder, name)) taken.push(...(await takeSegment(name, options)));
    else options.onUnknown(name);
  }
  // Segments first: whoever finds their lock gone knows that they are free.
  for (const { name, kind } of files) if (kind !== 'spool') await folder.remove(name);
  return taken;
}

/** The cursor is read before the rename and written after it: a crash between them only means that more is sent again. */
async function takeSegment(from: string, { folder, nextName }: TakeOverOptions): Promise<Segment[]> {
  const cursor = await folder.readCursor(from);
  const name = nextName();
  if (!(await folder.rename(from, name))) return []; // another one was faster
  const size = await folder.size(name);
  if (size === undefined) return []; // and it was taken again
  const settledTo = cursor > size ? size : Math.max(cursor, Math.min(size, segmentHeader.length));
  if (cursor > 0) await folder.writeCursor(name, settledTo).catch(() => undefined);
  await folder.remove(cursorName(from));
  const queued = await countLines(folder, { name, size, settledTo });
  return [{ name, size, settledTo, queued, isOpen: false }];
}

async function bytesOf(folder: Folder, files: readonly SpoolFile[]): Promise<number> {
  let bytes = 0;
  for (const { name, kind } of files) {
    if (kind !== 'spool') continue;
    bytes += (await folder.size(name)) ?? 0; // sent and removed meanwhile
  }
  return bytes;
}
