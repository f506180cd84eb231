import type { LogRecord, StoredRecord } from './event-log.ts';

/**
 * A stored batch has for each record: key length, value length (two uint32, big endian), traceparent length (one byte),
 * key (UTF-8), traceparent (ASCII), value.
 */
const headerBytes = 9;

export function frameRecords(records: readonly LogRecord[]): Buffer {
  const size = records.reduce(
    (sum, { key, value, traceparent }) =>
      sum + headerBytes + Buffer.byteLength(key) + (traceparent?.length ?? 0) + value.length,
    0,
  );
  const frame = Buffer.allocUnsafe(size);
  let at = 0;
  for (const { key, value, traceparent = '' } of records) {
    const keyLength = frame.write(key, at + headerBytes);
    const keyEnd = at + headerBytes + keyLength;
    frame.writeUInt32BE(keyLength, at);
    frame.writeUInt32BE(value.length, at + 4);
    frame.writeUInt8(traceparent.length, at + 8);
    if (traceparent !== '') frame.write(traceparent, keyEnd, 'latin1');
    frame.set(value, keyEnd + traceparent.length);
    at = keyEnd + traceparent.length + value.length;
  }
  return frame;
}

/** Values are views on `frame`, not copies. */
export function unframeRecords(frame: Buffer, firstOffset: bigint): StoredRecord[] {
  const records: StoredRecord[] = [];
  let at = 0;
  let offset = firstOffset;
  while (at < frame.length) {
    const keyEnd = at + headerBytes + frame.readUInt32BE(at);
    const valueBegin = keyEnd + frame.readUInt8(at + 8);
    const valueEnd = valueBegin + frame.readUInt32BE(at + 4);
    records.push({
      offset,
      key: frame.toString('utf8', at + headerBytes, keyEnd),
      value: frame.subarray(valueBegin, valueEnd),
      ...(valueBegin > keyEnd && { traceparent: frame.toString('latin1', keyEnd, valueBegin) }),
    });
    at = valueEnd;
    offset += 1n;
  }
  return records;
}
