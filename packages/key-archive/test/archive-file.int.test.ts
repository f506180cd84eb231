import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tollgate/testkit/seeded-random';

import { bytesOf, fromKey, fromRecord } from '../src/archive-format.ts';
import { openArchive } from '../src/open-archive.ts';
import { checkWholeArchive, mergedRecordsOf, recordsOf } from '../src/read-whole-archive.ts';
import { startArchive, writeArchive } from '../src/write-archive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const random = seededRandom('key archive').next;
const byte = () => Math.floor(random() * 256);
const byId = (left: Buffer, right: Buffer) => left.compare(right, 0, 16, 0, 16);

/** Records in order. Every third begins like the one before it: a block may begin and end within equal beginnings. */
function newRecords(count: number): Buffer[] {
  let last = Buffer.alloc(56);
  const records = Array.from({ length: count }, (_, place) => {
    const record = Buffer.from(Array.from({ length: 56 }, byte));
    if (place % 3 === 0) last.copy(record, 0, 0, 8);
    record.writeBigInt64BE(BigInt(1_700_000_000_000 + place), 48);
    return (last = record);
  });
  return records.toSorted(byId);
}

const sameBeginning = (count: number) =>
  newRecords(count)
    .map((record) => (record.fill(7, 0, 8), record))
    .toSorted(byId);

async function findAll(path: string, records: readonly Buffer[]) {
  const archive = await openArchive({ path, ...checkWholeArchive(path) });
  const found = [];
  for (const record of records) found.push(await archive.find(fromKey(record.subarray(0, 16))));
  await archive.close();
  return found;
}

describe('an archive of keys', () => {
  it.each([
    ['one key', newRecords(1)],
    ['a full block', newRecords(256)],
    ['one key more', newRecords(257)],
    ['many', newRecords(3_000)],
    ['equal beginnings over blocks', sameBeginning(1_000)],
  ])('finds each of its keys, and no other: %s', async (_name, records) => {
    const path = join(folder, 'keys');
    expect(writeArchive(path, records)).toEqual({ ...checkWholeArchive(path), keys: records.length });
    expect(readFileSync(path).length).toBe(bytesOf(records.length));
    expect(await findAll(path, records)).toEqual(records.map(fromRecord));
    const others = [...newRecords(500), Buffer.alloc(56), Buffer.alloc(56, 255)];
    expect(await findAll(path, others)).toEqual(others.map(() => undefined));
  });

  it('is the same, merged from any parts, and can be read from any record on', () => {
    const records = newRecords(2_000);
    const parts: Buffer[][] = Array.from({ length: 7 }, () => []);
    for (const record of records) parts[Math.floor(random() * 6)]?.push(record); // the seventh is empty
    const paths = parts.map((part, place) => {
      const path = join(folder, `run-${place}`);
      writeArchive(path, part);
      return path;
    });
    const { sha256 } = writeArchive(join(folder, 'merged'), mergedRecordsOf(paths));
    expect(sha256).toEqual(writeArchive(join(folder, 'whole'), records).sha256);
    expect([...recordsOf(join(folder, 'merged'), 1_500)].map((record) => record.toString('hex'))).toEqual(
      records.slice(1_500).map((record) => record.toString('hex')),
    );
  });

  it('appears under its name only when it is whole', () => {
    const writer = startArchive(join(folder, 'keys'));
    writer.add(newRecords(10));
    writer.close();
    expect(readdirSync(folder)).toEqual(['keys.partial']);
    writeFileSync(join(folder, 'keys.partial'), 'of a process that was killed');
    writeArchive(join(folder, 'keys'), newRecords(2));
    expect(readdirSync(folder)).toEqual(['keys']);
  });

  it('refuses keys that are not in order', () => {
    const [first, second] = newRecords(2) as [Buffer, Buffer];
    expect(() => writeArchive(join(folder, 'keys'), [second, first])).toThrow('not in order');
    expect(() => writeArchive(join(folder, 'keys'), [first, first])).toThrow('not in order');
  });
});

describe('an archive that is damaged', () => {
  function change(path: string, at: number): void {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.from([readFileSync(path).readUInt8(at) ^ 1]), 0, 1, at);
    closeSync(file);
  }

  it('F174 is found out by a whole reading, wherever it is', () => {
    const path = join(folder, 'keys');
    writeArchive(path, newRecords(300));
    const bytes = readFileSync(path).length;
    for (let at = 0; at < bytes; at += 97) {
      change(path, at);
      expect(() => checkWholeArchive(path)).toThrow('is damaged');
      change(path, at);
    }
    truncateSync(path, bytes - 1);
    expect(() => checkWholeArchive(path)).toThrow('is damaged');
  });

  it('F174 never says of a key that it is unknown: a look-up in the damaged block fails', async () => {
    const path = join(folder, 'keys');
    const records = newRecords(300);
    const written = writeArchive(path, records);
    change(path, 8 + 56 * 280);
    const archive = await openArchive({ path, ...written });
    const find = async (place: number) => archive.find(fromKey((records[place] as Buffer).subarray(0, 16)));
    await expect(find(290)).rejects.toThrow('is damaged');
    expect(await find(20)).toEqual(fromRecord(records[20] as Buffer));
    await archive.close();
  });

  it('F174 is not opened with a damaged index, cut off, or in place of another', async () => {
    const path = join(folder, 'keys');
    const written = writeArchive(path, newRecords(300));
    const other = writeArchive(join(folder, 'other'), newRecords(300));
    await expect(openArchive({ path, ...other })).rejects.toThrow('is not the one of this database');
    change(path, written.bytes - 50);
    await expect(openArchive({ path, ...written })).rejects.toThrow('is damaged');
    truncateSync(path, written.bytes - 1);
    await expect(openArchive({ path, ...written })).rejects.toThrow('is damaged');
  });
});
