import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

import {
  blockBytes,
  hashBytes,
  indexEntryBytes,
  magic,
  prefixBytes,
  recordBytes,
  type ArchiveSize,
} from './archive-format.ts';

export interface WrittenArchive extends ArchiveSize {
  readonly sha256: Buffer;
}

export interface ArchiveWriter {
  /** Records of 56 bytes, in the order of their ids. Throws if they are not in order. */
  add(records: Iterable<Buffer>): void;
  /** The file appears, whole and durable, under its name. */
  end(): WrittenArchive;
  /** Safe to repeat, and after `end`. A file that was not ended never appears. */
  close(): void;
}

/** How much is written at once: 3.6 MB. */
const chunkBytes = 256 * blockBytes;

/** Writes an archive at once. */
export function writeArchive(path: string, records: Iterable<Buffer>): WrittenArchive {
  const writer = startArchive(path);
  try {
    writer.add(records);
    return writer.end();
  } finally {
    writer.close();
  }
}

/** Each call keeps the process from other work until the disk has taken it, which suits a command, not a service. */
export function startArchive(path: string): ArchiveWriter {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  const file = openSync(partial, 'wx', 0o640);
  let isOpen = true;
  const sum = createHash('sha256');
  const index: Buffer[] = [];
  const chunk = Buffer.alloc(chunkBytes);
  const last = Buffer.alloc(16);
  let [filled, keys, bytes] = [0, 0, 0];
  put(magic);
  return {
    add(records) {
      for (const record of records) {
        if (keys > 0 && last.compare(record, 0, 16) >= 0) throw new Error('the keys are not in order');
        if (filled === chunkBytes) flush();
        record.copy(last, 0, 0, 16);
        record.copy(chunk, filled);
        filled += recordBytes;
        keys += 1;
      }
    },
    end() {
      flush();
      const entries = Buffer.concat(index);
      put(entries);
      put(footerOf(keys, entries));
      const sha256 = sum.digest();
      writeFully(file, sha256);
      fsyncSync(file);
      close();
      renameSync(partial, path);
      syncFolder(dirname(path));
      return { keys, bytes: bytes + hashBytes, sha256 };
    },
    close,
  };

  /** Whole blocks, but for the last of the file. */
  function flush(): void {
    const blocks = chunk.subarray(0, filled);
    index.push(entriesOf(blocks));
    put(blocks);
    filled = 0;
  }

  function put(part: Buffer): void {
    sum.update(part);
    writeFully(file, part);
    bytes += part.length;
  }

  function close(): void {
    if (isOpen) closeSync(file);
    isOpen = false;
  }
}

function footerOf(keys: number, entries: Buffer): Buffer {
  const footer = Buffer.alloc(12);
  footer.writeBigUInt64BE(BigInt(keys), 0);
  footer.writeUInt32BE(crc32(entries), 8);
  return footer;
}

function entriesOf(blocks: Buffer): Buffer {
  const entries = Buffer.alloc(Math.ceil(blocks.length / blockBytes) * indexEntryBytes);
  for (let [at, entry] = [0, 0]; at < blocks.length; at += blockBytes, entry += indexEntryBytes) {
    blocks.copy(entries, entry, at, at + prefixBytes);
    entries.writeUInt32BE(crc32(blocks.subarray(at, at + blockBytes)), entry + prefixBytes);
  }
  return entries;
}

function writeFully(file: number, part: Buffer): void {
  for (let at = 0; at < part.length;) at += writeSync(file, part, at);
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
