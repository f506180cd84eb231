const produceKey = 0;
const coordinatorLookupKey = 10;
const heartbeatKey = 12;

/** True if a frame is a Produce request. */
export function isProduce(frame: Buffer): boolean {
  return frame.readInt16BE(4) === produceKey;
}

/**
 * The acknowledgements that a Produce request of a version from 3 to 8 asks for. It has length, key, version, id, the
 * client's name, the transaction's name and then these. https://kafka.apache.org/protocol#The_Messages_Produce
 */
export function acksOf(frame: Buffer): number {
  const clientAt = 4 + 2 + 2 + 4;
  const transactionAt = clientAt + 2 + Math.max(0, frame.readInt16BE(clientAt));
  return frame.readInt16BE(transactionAt + 2 + Math.max(0, frame.readInt16BE(transactionAt)));
}

/** True if a frame is a Heartbeat request. */
export function isHeartbeat(frame: Buffer): boolean {
  return frame.readInt16BE(4) === heartbeatKey;
}

/** True if a frame is a FindCoordinator request. */
export function isCoordinatorLookup(frame: Buffer): boolean {
  return frame.readInt16BE(4) === coordinatorLookupKey;
}

/**
 * Writes an error code into a Heartbeat answer of a version from 1 to 3, which has length, id, throttle time and the code.
 * https://kafka.apache.org/protocol#The_Messages_Heartbeat
 */
export function withHeartbeatCode(answer: Buffer, code: number): Buffer {
  const changed = Buffer.from(answer);
  changed.writeInt16BE(code, 4 + 4 + 4);
  return changed;
}

/**
 * Writes an error code into a Produce answer of a version before 9. The answer has length, id, count of topics, the first
 * topic's name, count of its partitions, the first partition's number, and its code.
 * https://kafka.apache.org/protocol#The_Messages_Produce
 */
export function withErrorCode(answer: Buffer, code: number): Buffer {
  const changed = Buffer.from(answer);
  const nameLengthAt = 4 + 4 + 4;
  const codeAt = nameLengthAt + 2 + changed.readInt16BE(nameLengthAt) + 4 + 4;
  changed.writeInt16BE(code, codeAt);
  return changed;
}
