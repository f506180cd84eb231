import { beforeEach, describe, expect, it } from '@jest/globals';
import { createGapCheck, type LogEnds, type RefuseGap } from './log-ends.ts';

const cursor = 5n;

describe('the end of a log, beside what was read', () => {
  let refuseGap: RefuseGap;
  beforeEach(() => {
    refuseGap = createGapCheck('events');
  });

  const look = (askedMs: number, low: bigint, high: bigint) => () =>
    refuseGap({ partition: 0, cursor }, {
      asOf: 0,
      askedMs,
      partitions: new Map([[0, { low, high }]]),
    } satisfies LogEnds);

  it('is right at the cursor, and behind it', () => {
    expect(look(0, 0n, 5n)).not.toThrow();
    expect(look(0, 5n, 9n)).not.toThrow();
  });

  it('F23 has lost records where it begins after the cursor, or the partition is not there', () => {
    expect(look(0, 6n, 9n)).toThrow('counted up to 5, but the log goes on at 6');
    expect(() => refuseGap({ partition: 1, cursor }, { asOf: 0, askedMs: 0, partitions: new Map() })).toThrow(
      'at nothing',
    );
  });

  it('F18 may lie before the cursor for a while, as a broker tells it that no longer leads', () => {
    expect(look(0, 0n, 4n)).toThrow('is said to end at 4, and was read up to 5');
    expect(look(44_999, 0n, 4n)).toThrow('is said to end at 4');
    expect(look(45_000, 0n, 5n)).not.toThrow();
    expect(look(45_100, 0n, 4n)).toThrow('is said to end at 4'); // a new while
    expect(look(90_099, 0n, 4n)).toThrow('is said to end at 4');
  });

  it('has lost records where every look finds it before the cursor', () => {
    expect(look(0, 0n, 4n)).toThrow('is said to end at 4');
    expect(look(45_000, 0n, 4n)).toThrow('counted up to 5, but the log goes on at 4');
  });
});
