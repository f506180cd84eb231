import { describe, expect, it } from '@jest/globals';
import { requirePriceStart } from './price-start.ts';

const at = (iso: string): number => Date.parse(iso);

describe('the start of a price version', () => {
  it.each([
    ['exactly one hour ahead', '2026-11-21T13:00:00.000Z', '2026-11-21T12:00:00.000Z'],
    ['the second full hour from now', '2026-11-21T14:00:00.000Z', '2026-11-21T12:00:00.001Z'],
    ['years ahead', '2031-01-01T00:00:00.000Z', '2026-11-21T12:00:00.000Z'],
  ])('may be %s', (_what, start, now) => {
    expect(() => requirePriceStart(at(start), at(now))).not.toThrow();
  });

  it.each([
    ['a millisecond less than an hour ahead', '2026-11-21T13:00:00.000Z', '2026-11-21T12:00:00.001Z'],
    ['now', '2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z'],
    ['in the past', '2026-11-20T12:00:00.000Z', '2026-11-21T12:00:00.000Z'],
  ])('is refused when it is %s', (_what, start, now) => {
    expect(() => requirePriceStart(at(start), at(now))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        errors: [expect.objectContaining({ pointer: '/effective_from', code: 'too_soon' })],
      }),
    );
  });
});
