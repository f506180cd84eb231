import { describe, expect, it } from '@jest/globals';
import { createTail, type AppendedRun } from './tail.ts';

const run = (firstOffset: bigint, ...texts: string[]): AppendedRun => ({
  partition: 0,
  firstOffset,
  records: texts.map((text) => ({ key: 'k', value: Buffer.from(text), decoded: text })),
});
const megabyte = 'x'.repeat(1024 * 1024);

function tailOf(...runs: AppendedRun[]) {
  const tail = createTail();
  for (const each of runs) tail.offer(each);
  return { offer: tail.offer, take: (from: bigint) => tail.take(from).map(({ offset, decoded }) => [offset, decoded]) };
}

describe('createTail', () => {
  it('hands out what follows the cursor, in the order of the log, and once', () => {
    const tail = tailOf(run(7n, 'c'), run(5n, 'a', 'b'));
    expect(tail.take(5n)).toEqual([
      [5n, 'a'],
      [6n, 'b'],
      [7n, 'c'],
    ]);
    expect(tail.take(8n)).toEqual([]);
  });

  it('ends before a gap, and forgets what is behind it', () => {
    const tail = tailOf(run(5n, 'a'), run(7n, 'c'));
    expect(tail.take(5n)).toEqual([[5n, 'a']]);
    expect(tail.take(7n)).toEqual([]);
  });

  it('has nothing for a cursor before it, or within a run', () => {
    expect(tailOf(run(5n, 'a')).take(4n)).toEqual([]);
    expect(tailOf(run(5n, 'a', 'b')).take(6n)).toEqual([]);
  });

  it('leaves out runs that were read from the log already', () => {
    expect(tailOf(run(5n, 'a'), run(6n, 'b')).take(6n)).toEqual([[6n, 'b']]);
  });

  it('leaves to the log what is beyond two megabytes, until the reader has looked', () => {
    const tail = tailOf(run(0n, megabyte), run(1n, megabyte), run(2n, 'x'));
    expect(tail.take(0n)).toHaveLength(2);
    tail.offer(run(2n, 'y'));
    expect(tail.take(2n)).toEqual([[2n, 'y']]);
  });
});
