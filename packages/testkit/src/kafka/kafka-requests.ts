const produceKey = 0;
const heartbeatKey = 12;

/** Of a framed fault proxy: is it a Produce request? */
export function isProduce(frame: Buffer): boolean {
  return frame.readInt16BE(4) === produceKey;
}

/** Is it a member's sign of life for its group? */
export function isHeartbeat(frame: Buffer): boolean {
  return frame.readInt16BE(4) === heartbeatKey;
}

/**
 * A Produce answer of a version before 9, told as an error: length, id, count of topics, the first one's name, count of
 * its partitions, number of the first, and there the code. https://kafka.apache.org/protocol#The_Messages_Produce
 */
export function withErrorCode(answer: Buffer, code: number): Buffer {
  const changed = Buffer.from(answer);
  const nameLengthAt = 4 + 4 + 4;
  const codeAt = nameLengthAt + 2 + changed.readInt16BE(nameLengthAt) + 4 + 4;
  changed.writeInt16BE(code, codeAt);
  return changed;
}
