import { describe, expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { toApiMachine } from './machine-state.ts';

const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const disk = { atMs: nowMs, freeBytes: 40, sizeBytes: 100, secondsUntilFull: null };

describe('the machine, for the operator', () => {
  it.each([
    [14 * dayMs, false],
    [14 * dayMs - 1, true],
    [-dayMs, true],
  ])('says of a certificate that ends in %p ms whether it is soon: %p', (inMs, soon) => {
    const { certificate } = toApiMachine({ disk: undefined, certificateEndsMs: nowMs + inMs, nowMs });
    expect(certificate).toEqual({ ends_at: new Date(nowMs + inMs).toISOString(), ends_soon: soon });
  });

  it.each([
    [null, null, false],
    [3 * 86_400, '2026-11-24T12:00:00.000Z', false],
    [3 * 86_400 - 1, '2026-11-24T11:59:59.000Z', true],
    [1e15, '9999-12-31T00:00:00.000Z', false],
  ])('says of a disk that is full in %p seconds that it is so at %p, and whether that is soon', (seconds, at, soon) => {
    const full = { ...disk, secondsUntilFull: seconds };
    expect(toApiMachine({ disk: full, certificateEndsMs: undefined, nowMs })).toEqual({
      certificate: null,
      disk: { free_bytes: 40, size_bytes: 100, full_at: at, full_soon: soon },
    });
  });

  it('says of what it does not know that it does not', () => {
    expect(toApiMachine({ disk: undefined, certificateEndsMs: undefined, nowMs })).toEqual({
      certificate: null,
      disk: null,
    });
  });
});
