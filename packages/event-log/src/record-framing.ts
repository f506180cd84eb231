import type { LogRecord, StoredRecord } from './event-log.ts';

/**
 * A stored batch has for each record: key length, value length (two uint32, big endian), traceparent length (one byte),
 * key (UTF-8), traceparent (ASCII), value.
 */
const headerBytes = 9;

export function frameRecords(records: readonly LogRecord[]): Buffer {
  const keys = records.map(({ key }) => Buffer.from(key));
  const size = records.reduce(
    (sum, { value, traceparent }, index) =>
      sum + headerBytes + (keys[index]?.length ?? 0) + (traceparent?.length ?? 0) + value.length,
    0,
  );
  const frame = Buffer.allocUnsafe(size);
  let at = 0;
  records.forEach(({ value, traceparent }, index) => {
    const key = keys[index] ?? Buffer.alloc(0);
    const traceLength = traceparent?.length ?? 0;
    frame.writeUInt32BE(key.length, at);
    frame.writeUInt32BE(value.length, at + 4);
    frame.writeUInt8(traceLength, at + 8);
    frame.set(key, at + headerBytes);
    const keyEnd = at + headerBytes + key.length;
    if (traceparent !== undefined) frame.write(traceparent, keyEnd, 'latin1');
    frame.set(value, keyEnd + traceLength);
    at = keyEnd + traceLength + value.length;
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
