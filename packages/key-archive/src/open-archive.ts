import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import {
  blockBytes,
  blocksOf,
  footerBytes,
  fromRecord,
  hashBytes,
  indexEntryBytes,
  magic,
  prefixBytes,
  recordBytes,
  toKey,
  type ArchivedKey,
} from './archive-format.ts';
import { KeyArchiveError } from './key-archive-error.ts';
import { damaged } from './read-whole-archive.ts';

/** An archive as the database describes it. */
export interface ExpectedArchive {
  readonly path: string;
  readonly keys: number;
  readonly bytes: number;
  readonly sha256: Buffer;
}

export interface OpenArchive {
  /** Rejects with KeyArchiveError if the block that would have the key is damaged. */
  find(eventId: string): Promise<ArchivedKey | undefined>;
  close(): Promise<void>;
}

/**
 * Opens an archive for look-ups, and reads its index into memory. Rejects with KeyArchiveError unless it is the file that the
 * database means. The hash of the whole file is compared with the file's own word; `tollgate operator keys verify` computes it.
 */
export async function openArchive(expected: ExpectedArchive): Promise<OpenArchive> {
  const { path } = expected;
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new KeyArchiveError(`the archive ${path} cannot be read`, { cause: error });
  });
  try {
    const index = await readIndex(file, expected);
    return {
      find: async (eventId) => findIn({ file, path, index, keys: expected.keys }, toKey(eventId)),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readIndex(file: FileHandle, { path, keys, bytes, sha256 }: ExpectedArchive): Promise<Buffer> {
  const { size } = await file.stat();
  if (size !== bytes) throw damaged(path);
  const footer = await readAt(file, bytes - footerBytes, footerBytes);
  const at = magic.length + keys * recordBytes;
  const index = await readAt(file, at, blocksOf(keys) * indexEntryBytes);
  const isTheOne =
    Number(footer.readBigUInt64BE(0)) === keys && footer.subarray(footerBytes - hashBytes).equals(sha256);
  if (!isTheOne) throw new KeyArchiveError(`the archive ${path} is not the one of this database: bring that one back`);
  if (crc32(index) !== footer.readUInt32BE(8)) throw damaged(path);
  return index;
}

interface Searched {
  readonly file: FileHandle;
  readonly path: string;
  readonly index: Buffer;
  readonly keys: number;
}

/** Blocks whose first ids begin like the wanted one are read from the last to the first, which is nearly always one block. */
async function findIn(archive: Searched, id: Buffer): Promise<ArchivedKey | undefined> {
  for (let block = blocksUpTo(archive.index, id) - 1; block >= 0; block -= 1) {
    const records = await readBlock(archive, block);
    const found = findRecord(records, id);
    if (found !== undefined) return fromRecord(found);
    if (records.compare(id, 0, prefixBytes, 0, prefixBytes) !== 0) return undefined;
  }
  return undefined;
}

/** How many blocks begin with an id whose first bytes are not after the wanted ones. */
function blocksUpTo(index: Buffer, id: Buffer): number {
  let [low, high] = [0, index.length / indexEntryBytes];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * indexEntryBytes;
    if (index.compare(id, 0, prefixBytes, at, at + prefixBytes) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function readBlock({ file, path, index, keys }: Searched, block: number): Promise<Buffer> {
  const from = block * blockBytes;
  const records = await readAt(file, magic.length + from, Math.min(blockBytes, keys * recordBytes - from));
  if (crc32(records) !== index.readUInt32BE(block * indexEntryBytes + prefixBytes)) throw damaged(path);
  return records;
}

function findRecord(records: Buffer, id: Buffer): Buffer | undefined {
  let [low, high] = [0, records.length / recordBytes];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * recordBytes;
    const order = records.compare(id, 0, 16, at, at + 16);
    if (order === 0) return records.subarray(at, at + recordBytes);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/** Fewer bytes than asked for mean that the file was cut off; the checksums tell. */
async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
