import type { LogRecord, StoredRecord } from './event-log.ts';

/** A stored batch has for each record: key length, value length (two uint32, big endian), key (UTF-8), value. */
const headerBytes = 8;

export function frameRecords(records: readonly LogRecord[]): Buffer {
  const keys = records.map(({ key }) => Buffer.from(key));
  const size = records.reduce(
    (sum, { value }, index) => sum + headerBytes + (keys[index]?.length ?? 0) + value.length,
    0,
  );
  const frame = Buffer.allocUnsafe(size);
  let at = 0;
  records.forEach(({ value }, index) => {
    const key = keys[index] ?? Buffer.alloc(0);
    frame.writeUInt32BE(key.length, at);
    frame.writeUInt32BE(value.length, at + 4);
    frame.set(key, at + headerBytes);
    frame.set(value, at + headerBytes + key.length);
    at += headerBytes + key.length + value.length;
  });
  return frame;
}

/** Values are views on `frame`, not copies. */
export function unframeRecords(frame: Buffer, firstOffset: bigint): StoredRecord[] {
  const records: StoredRecord[] = [];
  let at = 0;
  let offset = firstOffset;
  while (at < frame.length) {
    const keyEnd = at + headerBytes + frame.readUInt32BE(at);
    const valueEnd = keyEnd + frame.readUInt32BE(at + 4);
    records.push({
      offset,
      key: frame.toString('utf8', at + headerBytes, keyEnd),
      value: frame.subarray(keyEnd, valueEnd),
    });
    at = valueEnd;
    offset += 1n;
  }
  return records;
}
