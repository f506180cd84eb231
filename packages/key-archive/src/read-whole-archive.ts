import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

import { bytesOf, footerBytes, hashBytes, magic, recordBytes } from './archive-format.ts';
import { KeyArchiveError } from './key-archive-error.ts';
import type { WrittenArchive } from './write-archive.ts';

const atOnce = 4_194_304;

/** Reads every byte of an archive, compares its hash, and returns its size and hash. Throws KeyArchiveError if it is damaged. */
export function checkWholeArchive(path: string): WrittenArchive {
  return withFile(path, (file, bytes) => {
    const sum = createHash('sha256');
    const buffer = Buffer.alloc(atOnce);
    for (let at = 0; at < bytes - hashBytes;) {
      const read = readSync(file, buffer, 0, Math.min(atOnce, bytes - hashBytes - at), at);
      if (read === 0) throw damaged(path);
      sum.update(buffer.subarray(0, read));
      at += read;
    }
    const sha256 = sum.digest();
    const end = readExactly(file, { path, at: bytes - hashBytes, length: hashBytes });
    if (!sha256.equals(end)) throw damaged(path);
    return { keys: keysIn(file, path, bytes), bytes, sha256 };
  });
}

/** The records of an archive in their order, from this record on. A record is good until the next one is taken. */
export function* recordsOf(path: string, from = 0): Generator<Buffer, undefined> {
  const file = openArchive(path);
  try {
    const bytes = fstatSync(file).size;
    const end = magic.length + keysIn(file, path, bytes) * recordBytes;
    const length = recordBytes * 4_096;
    for (let at = magic.length + from * recordBytes; at < end; at += length) {
      const records = readExactly(file, { path, at, length: Math.min(length, end - at) });
      for (let each = 0; each < records.length; each += recordBytes) yield records.subarray(each, each + recordBytes);
    }
  } finally {
    closeSync(file);
  }
  return undefined;
}

/** Merges archives into the order of one. */
export function* mergedRecordsOf(paths: readonly string[]): Generator<Buffer> {
  const heads = paths.map((path) => recordsOf(path));
  const heap: { record: Buffer; rest: Generator<Buffer, undefined> }[] = [];
  for (const rest of heads) {
    const record = rest.next().value;
    if (record !== undefined) heap.push({ record, rest });
  }
  heap.sort((left, right) => Buffer.compare(left.record, right.record)); // a sorted list is a heap
  for (let [top] = heap; top !== undefined; [top] = heap) {
    yield top.record;
    const next = top.rest.next().value;
    if (next !== undefined) top.record = next;
    else {
      const last = heap.pop();
      if (last === undefined || last === top) continue;
      heap[0] = last;
    }
    sink(heap);
  }
}

/** Moves the first entry of a heap down to its place. */
function sink(heap: { record: Buffer }[]): void {
  for (let at = 0; ;) {
    const children = [heap[2 * at + 1], heap[2 * at + 2]] as const;
    const isRight = children[1] !== undefined && Buffer.compare(children[1].record, children[0]?.record ?? magic) < 0;
    const [child, place] = isRight ? [children[1], 2 * at + 2] : [children[0], 2 * at + 1];
    const own = heap[at];
    if (child === undefined || own === undefined || Buffer.compare(own.record, child.record) <= 0) return;
    heap[at] = child;
    heap[place] = own;
    at = place;
  }
}

function withFile<T>(path: string, work: (file: number, bytes: number) => T): T {
  const file = openArchive(path);
  try {
    const bytes = fstatSync(file).size;
    if (bytes < bytesOf(0)) throw damaged(path);
    return work(file, bytes);
  } finally {
    closeSync(file);
  }
}

function openArchive(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw new KeyArchiveError(`the archive ${path} cannot be read`, { cause: error });
  }
}

function keysIn(file: number, path: string, bytes: number): number {
  const keys = Number(readExactly(file, { path, at: bytes - footerBytes, length: 8 }).readBigUInt64BE());
  if (!readExactly(file, { path, at: 0, length: magic.length }).equals(magic) || bytesOf(keys) !== bytes)
    throw damaged(path);
  return keys;
}

function readExactly(file: number, part: { path: string; at: number; length: number }): Buffer {
  const buffer = Buffer.alloc(part.length);
  if (part.at < 0 || readSync(file, buffer, 0, part.length, part.at) !== part.length) throw damaged(part.path);
  return buffer;
}

export function damaged(path: string): KeyArchiveError {
  return new KeyArchiveError(`the archive ${path} is damaged: bring it back from a copy`);
}
