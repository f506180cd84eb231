import { describe, expect, it } from '@jest/globals';
import { sandboxFee } from './sandbox-fee.ts';

describe('the sandbox’s fee', () => {
  it.each([
    [1n, 1n], // never more than there is
    [30n, 30n],
    [31n, 31n], // 30.899
    [32n, 31n], // 30.928
    [50n, 31n], // 31.45
    [500n, 45n], // 44.5: half a cent counts as one
    [499n, 44n], // 44.471
    [10_000n, 320n],
    [100_000_000_000_000n, 2_900_000_000_030n],
  ])('of %d cents is %d', (amount, fee) => {
    expect(sandboxFee(amount)).toBe(fee);
  });
});
