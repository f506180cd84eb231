import { describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { periodStatus } from './period-status.ts';

const at = (text: string) => new Date(text).getTime();

describe('the status of a period', () => {
  it.each([
    ['2026-12-01T23:59:59.999Z', '2026-11-30T23:00:00.000Z', false],
    ['2026-12-02T00:00:00.000Z', '2026-12-01T00:00:00.000Z', true],
    ['2027-01-01T12:30:00.000Z', '2026-12-31T12:00:00.000Z', true],
    ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', false],
  ])('counted through %s: final through %s, closable: %s', (countedThrough, finalThrough, isClosable) => {
    const status = periodStatus('2026-11', at(countedThrough));
    expect(toIso(status.finalThroughMs)).toBe(finalThrough);
    expect(status.isClosable).toBe(isClosable);
    expect(toIso(status.closableAtMs)).toBe('2026-12-02T00:00:00.000Z');
  });
});
