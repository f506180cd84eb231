/**
 * Which partition a key belongs to: FNV-1a over its UTF-16 units, then a multiply-shift into the range. Keys spread the
 * work and give each rollup row one writer; counting is right for any assignment.
 */
export function partitionOfKey(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  hash ^= hash >>> 15; // FNV's high bits are weak for short keys, and the range is taken from them
  hash = Math.imul(hash, 0x2c1b3c6d);
  return Number((BigInt(hash >>> 0) * BigInt(partitions)) >> 32n);
}
