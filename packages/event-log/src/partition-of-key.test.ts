import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partitionOfKey } from './partition-of-key.ts';

describe('partitionOfKey', () => {
  it('names a partition that there is, for any key and any count, and always the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 1_024 }), (key, partitions) => {
        const partition = partitionOfKey(key, partitions);
        expect(Number.isInteger(partition) && partition >= 0 && partition < partitions).toBe(true);
        expect(partitionOfKey(key, partitions)).toBe(partition);
      }),
    );
  });

  it('spreads keys that differ only at their end', () => {
    const counts = [0, 0, 0, 0];
    for (let at = 0; at < 10_000; at += 1) {
      const partition = partitionOfKey(`01a1fe39-32bc-7f0c-85cd-c8e880861bbc:tool-${at}`, 4);
      counts[partition] = (counts[partition] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(2_300);
  });

  it('never changes, for the records of a key would lie in two partitions', () => {
    expect(['', 'a', 'consumer:tool', 'ключ'].map((key) => partitionOfKey(key, 1_024))).toMatchInlineSnapshot(`
[
  106,
  44,
  985,
  598,
]
`);
  });
});
